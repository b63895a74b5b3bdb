// A TypeScript program of a folder, asked by its type checker for the schema of each type.
import { createGenerator } from 'ts-json-schema-generator'

const [, , tsconfig] = process.argv
const generator = createGenerator({ tsconfig, type: '*', skipTypeCheck: true, additionalProperties: false })
console.log(Object.keys(generator.createSchema('*').definitions ?? {}).length)
