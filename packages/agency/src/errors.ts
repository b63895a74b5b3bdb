// The codes of the language, each with a page in docs/errors.

export const codes = {
  A1001: 'something else was expected here',
  A1002: 'something is never closed',
  A1003: 'this is written as in another language',
  A1004: 'something is nested too deeply',
  A1005: 'a name is reserved',
  A2001: 'a name is unknown',
  A2002: 'a name is declared twice',
  A2003: 'the arguments of a call are wrong',
  A2004: 'something cannot be assigned to',
  A2005: 'something stands where it cannot stand',
  A3001: 'a value has another type',
  A3002: 'a field is unknown',
  A3003: 'a type is unknown',
  A3004: 'something that is no function is called',
  A4001: 'a module cannot be found',
  A4002: 'a module has no such name',
  A5001: 'a function cannot be a tool',
  A5002: 'a type cannot be asked of a model',
  A6001: 'a program crashed',
} as const

export type AgencyCode = keyof typeof codes
