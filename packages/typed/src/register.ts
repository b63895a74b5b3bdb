// `node --import toolwright/register FILE`
import { registerLoader } from './doors/loader.ts'

registerLoader()
