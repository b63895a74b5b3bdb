// `node --import toolwright/register FILE`: schemas from the types of the file, and `.agency` files compiled.
import '@toolwright/typed/register'
import '@toolwright/agency/register'
