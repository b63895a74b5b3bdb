// What needs no import, and `std::thread`, told in the language itself; and the fields of texts, lists and numbers.
export const PRELUDE = `
def print(...values: any[]): void {}
def printJSON(value: any): void {}
def input(prompt: string = ""): string {}
def sleep(seconds: number): void {}
def read(file: string): string {}
def write(file: string, content: any): void {}
def range(start: number, end?: number, step?: number): number[] {}
def map<T, R>(list: T[], block: (T) -> R): R[] {}
def mapWithIndex<T, R>(list: T[], block: (T, number) -> R): R[] {}
def filter<T>(list: T[], block: (T) -> any): T[] {}
def reduce<T, R>(list: T[], initial: R, block: (R, T) -> R): R {}
def find<T>(list: T[], block: (T) -> any): T {}
def findIndex<T>(list: T[], block: (T) -> any): number {}
def flatMap<T, R>(list: T[], block: (T) -> R[] | R): R[] {}
def every<T>(list: T[], block: (T) -> any): boolean {}
def some<T>(list: T[], block: (T) -> any): boolean {}
def count<T>(list: T[], block?: (T) -> any): number {}
def sortBy<T>(list: T[], block: (T) -> any): T[] {}
def unique<T>(list: T[], block?: (T) -> any): T[] {}
def groupBy<T>(list: T[], block: (T) -> any): Record<string, T[]> {}
def success<T>(value?: T): Result<T> {}
def failure(message: any, data?: any): Result<any> {}
def isSuccess(result: any): boolean {}
def isFailure(result: any): boolean {}
`

export const THREAD = `
type Message = { role: string, content: string }
def systemMessage(content: any): void {}
def userMessage(content: any): void {}
def assistantMessage(content: any): void {}
def endTurn(scope: "call" | "turn" = "call"): void {}
def handBack(message: string): void {}
def attachToReply(image: any): void {}
def image(source: string): any {}
def file(source: string): any {}
def getTokens(): number {}
def getCost(): number {}
def listThreads(): { id: string, messages: Message[] }[] {}
def getThread(id?: string): Message[] {}
`

/** Of the prelude and `std::thread`: what has to be waited for whatever it is given. */
export const WAITS = new Set(['input', 'sleep', 'read', 'write', 'llm', 'userMessage', 'image', 'file'])

/** Of JavaScript itself: what reckons, and touches nothing. */
export const HOST = [
  'Math',
  'JSON',
  'Number',
  'String',
  'Boolean',
  'Object',
  'Array',
  'Date',
  'parseInt',
  'parseFloat',
  'isNaN',
]

/** The parts of JavaScript's own lists, texts and numbers that programs use; T is what a list holds. */
export const MEMBERS = `
type List<T> = {
  length: number
  push: (...items: T[]) -> number
  pop: () -> T | null
  shift: () -> T | null
  unshift: (...items: T[]) -> number
  slice: (from?: number, to?: number) -> T[]
  splice: (from: number, n?: number, ...items: T[]) -> T[]
  concat: (...lists: any[]) -> T[]
  join: (separator?: string) -> string
  reverse: () -> T[]
  sort: (order?: (T, T) -> number) -> T[]
  toSorted: (order?: (T, T) -> number) -> T[]
  toReversed: () -> T[]
  includes: (item: any) -> boolean
  indexOf: (item: any) -> number
  lastIndexOf: (item: any) -> number
  at: (index: number) -> T | null
  flat: (depth?: number) -> any
  fill: (value: any) -> T[]
  keys: () -> any
  entries: () -> any
  values: () -> any
  map: (block: any) -> any
  filter: (block: any) -> T[]
  find: (block: any) -> any
  findIndex: (block: any) -> number
  findLast: (block: any) -> any
  flatMap: (block: any) -> any
  every: (block: any) -> boolean
  some: (block: any) -> boolean
  forEach: (block: any) -> void
  reduce: (block: any, initial?: any) -> any
  with: (index: number, value: T) -> T[]
}
type Text = {
  length: number
  toUpperCase: () -> string
  toLowerCase: () -> string
  trim: () -> string
  trimStart: () -> string
  trimEnd: () -> string
  split: (separator: any, limit?: number) -> string[]
  includes: (text: string, from?: number) -> boolean
  startsWith: (text: string, at?: number) -> boolean
  endsWith: (text: string, at?: number) -> boolean
  indexOf: (text: string, from?: number) -> number
  lastIndexOf: (text: string, from?: number) -> number
  replace: (what: any, by: any) -> string
  replaceAll: (what: any, by: any) -> string
  slice: (from?: number, to?: number) -> string
  substring: (from: number, to?: number) -> string
  padStart: (length: number, fill?: string) -> string
  padEnd: (length: number, fill?: string) -> string
  repeat: (times: number) -> string
  charAt: (index: number) -> string
  charCodeAt: (index: number) -> number
  at: (index: number) -> string | null
  concat: (...texts: any[]) -> string
  match: (pattern: any) -> any
  localeCompare: (other: string) -> number
  normalize: (form?: string) -> string
  toString: () -> string
}
type Amount = {
  toFixed: (digits?: number) -> string
  toString: (radix?: number) -> string
  toPrecision: (digits?: number) -> string
  toLocaleString: (locale?: any, options?: any) -> string
}
`
