// `import '@toolwright/agency/register'`: `.agency` files are compiled as they are loaded.
import { registerAgency } from './load/loader.ts'

registerAgency()
