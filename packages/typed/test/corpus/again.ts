// What is exported once more, under the same name and under another.

export * as shapes from './shared.ts'
export * from './shared.ts'
export { default as Whole, type Level, type Point as Place } from './shared.ts'
