// The tree of an Agency file. Every node has a `kind` and its `start` and `end`, offsets in the source in UTF-16 units.
//
//   Program       a list of statements; declarations (`import`, `export`, `def`, `node`, `type`) stand at the top only
//   Statement     what stands on a line of its own; an expression stands in an `ExpressionStatement`
//   Expression    what has a value; strings are a `Text` of plain parts and expressions
//   Pattern       what a `const`, a `for` or a block takes apart; a `MatchPattern` is what an arm of a `match` asks for
//   Type          a type as it is written; what it means is the checker's affair
//
// The parser gives a whole tree for any text: where something is missing stands a name with the text '' or a `Wrong`
// node. Nothing in the tree points upward, and no node is in it twice. Comments are beside the tree, in the order of the
// source.

export interface Span {
  readonly start: number
  readonly end: number
}

export interface Program extends Span {
  kind: 'program'
  body: Statement[]
  comments: Comment[]
}

/** A comment with its delimiters: `text` is the source from `start` to `end`. */
export interface Comment extends Span {
  kind: 'comment'
  text: string
  /** True where only blanks stand before it on its line. */
  own: boolean
}

/** A name where it is declared or stated; as a value it is an expression too. */
export interface Name extends Span {
  kind: 'name'
  text: string
}

// Declarations

export interface Imported extends Span {
  kind: 'imported'
  name: Name
  /** The name in this file, where it is another: `name as local`. */
  as: Name | undefined
}

export interface Import extends Span {
  kind: 'import'
  names: Imported[] | undefined
  default: Name | undefined
  star: Name | undefined
  from: Text
}

/** `export { a, b as c }`, with or without `from`. */
export interface Export extends Span {
  kind: 'export'
  names: Imported[]
  from: Text | undefined
}

export interface Param extends Span {
  kind: 'param'
  name: Name
  rest: boolean
  optional: boolean
  type: Type | undefined
  default: Expression | undefined
}

/** `def`, and `node`. */
export interface Def extends Span {
  kind: 'def'
  exported: boolean
  handoff: boolean
  node: boolean
  name: Name
  typeParams: Name[]
  params: Param[]
  returns: Type | undefined
  /** The docstring, which is no statement of the body. */
  doc: Doc | undefined
  body: Block
}

/** A docstring: `text` is trimmed and without indentation. */
export interface Doc extends Span {
  kind: 'doc'
  text: string
}

export interface TypeDef extends Span {
  kind: 'typeDef'
  exported: boolean
  schemas: Schema[]
  name: Name
  typeParams: Name[]
  type: Type
}

/** `@jsonSchema({ … })` */
export interface Schema extends Span {
  kind: 'schema'
  name: Name
  value: Expression | undefined
}

// Statements

export type Statement =
  | Import
  | Export
  | Def
  | TypeDef
  | Let
  | If
  | For
  | While
  | Break
  | Continue
  | Return
  | Goto
  | ExpressionStatement

export interface Block extends Span {
  kind: 'block'
  body: Statement[]
}

export interface Let extends Span {
  kind: 'let'
  exported: boolean
  constant: boolean
  pattern: Pattern
  type: Type | undefined
  value: Expression | undefined
}

export interface If extends Span {
  kind: 'if'
  condition: Expression
  then: Block
  else: If | Block | undefined
}

export interface For extends Span {
  kind: 'for'
  item: Pattern
  /** The index of a list's item, or the value of a record's key. */
  second: Name | undefined
  over: Expression
  body: Block
}

export interface While extends Span {
  kind: 'while'
  condition: Expression
  body: Block
}

export interface Break extends Span {
  kind: 'break'
}

export interface Continue extends Span {
  kind: 'continue'
}

export interface Return extends Span {
  kind: 'return'
  value: Expression | undefined
}

export interface Goto extends Span {
  kind: 'goto'
  call: Expression
}

export interface ExpressionStatement extends Span {
  kind: 'expression'
  value: Expression
}

// Expressions

export type Expression =
  | Name
  | NumberLiteral
  | BooleanLiteral
  | NullLiteral
  | Text
  | List
  | Comprehension
  | RecordLiteral
  | Member
  | Index
  | Slice
  | Call
  | Unary
  | Binary
  | Assign
  | Try
  | Choice
  | Match
  | Lambda
  | ThreadBlock
  | Wrong

export interface NumberLiteral extends Span {
  kind: 'number'
  value: number
  raw: string
}

export interface BooleanLiteral extends Span {
  kind: 'boolean'
  value: boolean
}

/** `null` and `undefined`, which are the same. */
export interface NullLiteral extends Span {
  kind: 'null'
}

export type Quote = '"' | "'" | '`' | '"""'

/** A string: its parts as they are meant, with what they were escaped by undone. */
export interface Text extends Span {
  kind: 'text'
  quote: Quote
  parts: (string | Expression)[]
}

export interface Splat extends Span {
  kind: 'splat'
  value: Expression
}

export interface List extends Span {
  kind: 'list'
  items: (Expression | Splat)[]
}

/** `[value for item in over if condition]` */
export interface Comprehension extends Span {
  kind: 'comprehension'
  value: Expression
  item: Pattern
  second: Name | undefined
  over: Expression
  condition: Expression | undefined
}

export interface Entry extends Span {
  kind: 'entry'
  /** A name or a text; an expression where it is `[computed]`. */
  key: Name | Text | Expression
  computed: boolean
  /** Nothing where the name alone stands. */
  value: Expression | undefined
}

export interface RecordLiteral extends Span {
  kind: 'record'
  entries: (Entry | Splat)[]
}

export interface Member extends Span {
  kind: 'member'
  of: Expression
  optional: boolean
  name: Name
}

export interface Index extends Span {
  kind: 'index'
  of: Expression
  optional: boolean
  at: Expression
}

export interface Slice extends Span {
  kind: 'slice'
  of: Expression
  from: Expression | undefined
  to: Expression | undefined
}

export interface Argument extends Span {
  kind: 'argument'
  name: Name | undefined
  splat: boolean
  value: Expression
}

export interface Call extends Span {
  kind: 'call'
  callee: Expression
  optional: boolean
  args: Argument[]
  /** The block behind the parentheses. */
  block: Lambda | undefined
}

export interface Unary extends Span {
  kind: 'unary'
  operator: '!' | '-'
  value: Expression
}

export type BinaryOperator =
  | '|>'
  | 'catch'
  | '||'
  | '??'
  | '&&'
  | '=='
  | '!='
  | '<'
  | '>'
  | '<='
  | '>='
  | 'in'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '**'

export interface Binary extends Span {
  kind: 'binary'
  /** `===` and `!==` mean `==` and `!=`, and are told as such; `raw` is as it is written. */
  operator: BinaryOperator
  raw: string
  left: Expression
  right: Expression
}

export interface Assign extends Span {
  kind: 'assign'
  operator: '=' | '+=' | '-=' | '*=' | '/=' | '%=' | '**=' | '??=' | '||=' | '&&='
  target: Expression
  value: Expression
}

export interface Try extends Span {
  kind: 'try'
  value: Expression
}

/** `if condition then yes else no` */
export interface Choice extends Span {
  kind: 'choice'
  condition: Expression
  yes: Expression
  no: Expression
}

export interface Arm extends Span {
  kind: 'arm'
  /** Alternatives; one of them must fit. */
  patterns: MatchPattern[]
  guard: Expression | undefined
  /** One statement, or a block in braces. */
  body: Statement | Block
}

export interface Match extends Span {
  kind: 'match'
  value: Expression
  arms: Arm[]
}

/** A block of code as a value: behind a call, or written inline as `\x -> expression`. */
export interface Lambda extends Span {
  kind: 'lambda'
  inline: boolean
  params: LambdaParam[]
  body: Block | Expression
}

export interface LambdaParam extends Span {
  kind: 'lambdaParam'
  pattern: Pattern
  type: Type | undefined
}

export interface ThreadBlock extends Span {
  kind: 'thread'
  /** It begins with what the thread around it holds. */
  sub: boolean
  body: Block
}

/** Something stood here that is no expression. */
export interface Wrong extends Span {
  kind: 'wrong'
}

// Patterns

export type Pattern = Name | ListPattern | RecordPattern

export interface ListPattern extends Span {
  kind: 'listPattern'
  items: (PatternItem | undefined)[]
  rest: Name | undefined
}

export interface PatternItem extends Span {
  kind: 'patternItem'
  pattern: Pattern
  default: Expression | undefined
}

export interface RecordPattern extends Span {
  kind: 'recordPattern'
  fields: PatternField[]
  rest: Name | undefined
}

export interface PatternField extends Span {
  kind: 'patternField'
  key: Name
  /** Nothing where the field is named as its key. */
  pattern: Pattern | undefined
  default: Expression | undefined
}

/** `_`, a value to compare with, or a shape with names to fill. */
export type MatchPattern = AnyPattern | ValuePattern | MatchRecord | MatchList

export interface AnyPattern extends Span {
  kind: 'anyPattern'
}

/** A value; inside of a shape a plain name is filled in place of compared. */
export interface ValuePattern extends Span {
  kind: 'valuePattern'
  value: Expression
  /** True where a name is filled. */
  binds: boolean
}

export interface MatchRecord extends Span {
  kind: 'matchRecord'
  fields: { key: Name; pattern: MatchPattern | undefined }[]
}

export interface MatchList extends Span {
  kind: 'matchList'
  items: MatchPattern[]
  rest: Name | undefined
}

// Types

export type Type =
  | TypeName
  | TypeList
  | TypeUnion
  | TypeBoth
  | TypeLiteral
  | TypeRecord
  | TypeFunction
  | TypeKeyof
  | TypeWrong

export interface TypeName extends Span {
  kind: 'typeName'
  name: Name
  args: Type[]
}

export interface TypeList extends Span {
  kind: 'typeList'
  of: Type
}

export interface TypeUnion extends Span {
  kind: 'typeUnion'
  of: Type[]
}

export interface TypeBoth extends Span {
  kind: 'typeBoth'
  of: Type[]
}

export interface TypeLiteral extends Span {
  kind: 'typeLiteral'
  value: string | number | boolean | null
}

export interface TypeField extends Span {
  kind: 'typeField'
  schemas: Schema[]
  name: Name
  /** The name is written in quotes. */
  quoted: boolean
  optional: boolean
  type: Type
}

export interface TypeRecord extends Span {
  kind: 'typeRecord'
  fields: TypeField[]
  /** `[key: string]: T` */
  index: { key: Name; of: Type; value: Type } | undefined
}

export interface TypeFunction extends Span {
  kind: 'typeFunction'
  params: { name: Name | undefined; optional: boolean; rest: boolean; type: Type }[]
  returns: Type
}

export interface TypeKeyof extends Span {
  kind: 'typeKeyof'
  of: Type
}

export interface TypeWrong extends Span {
  kind: 'typeWrong'
}

/** Any node that has a kind. */
export type Node =
  | Program
  | Comment
  | Imported
  | Param
  | Doc
  | Schema
  | Statement
  | Block
  | Expression
  | Splat
  | Entry
  | Argument
  | Arm
  | LambdaParam
  | Pattern
  | PatternItem
  | PatternField
  | MatchPattern
  | Type
  | TypeField
