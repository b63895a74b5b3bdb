// `node --import toolwright/register FILE`: schemas from the types of the file.
import '@toolwright/typed/register'
