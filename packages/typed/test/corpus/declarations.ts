// Hand-written declarations: each exported type is read by this reader and by a type checker, and the two schemas have
// to accept and refuse the same values.
import type { Place, shapes, Whole } from './again.ts'
import type * as all from './shared.ts'
import type DefaultPlain from './shared.ts'
import type { Fruit, Geo, Level, Named, Point as P } from './shared.ts'

// Records
// biome-ignore lint/complexity/noBannedTypes: a record without fields is written so
export type Empty = {}
export interface OneText {
  text: string
}
export interface AllPrimitives {
  text: string
  number: number
  flag: boolean
  nothing: null
}
export interface Optionals {
  a?: string
  b?: number
  c: boolean
}
export interface ReadonlyFields {
  readonly a: string
  readonly b?: readonly number[]
}
export interface QuotedNames {
  'a-b': string
  'with space': number
  0: boolean
}
export interface Nested {
  outer: { inner: { deep: string[] } }
}
export interface WithDoc {
  /** A text. */
  a: string
  /** A number. */
  b?: number
}
export type LiteralRecord = { a: string; b?: number }
export type Inline = { a: { b: { c?: 'x' } } }
export interface Getter {
  get size(): number
}
export interface Anything {
  what: unknown
  other?: unknown
}
export interface OpenObject {
  bag: object
}

// Null and undefined
export interface Nullable {
  a: string | null
  b: number | null
  c?: boolean | null
}
export interface OrUndefined {
  a: string | undefined
  b: number | null | undefined
}
export interface NullableRecord {
  p: P | null
}
export interface NullableList {
  items: string[] | null
}
export interface NullableEnum {
  level: Level | null
}
export interface NullableLiteral {
  only: 'a' | null
}
export interface JustNull {
  a: null
}
export interface NeverField {
  a: string
  b?: never
}

// Unions of literals
export interface Choices {
  level: 'low' | 'high'
}
export interface Numbers {
  step: 1 | 2 | 3
}
export interface Mixed {
  value: 'a' | 1 | true
}
export interface BothFlags {
  value: true | false
}
export interface OneFlag {
  value: true
}
export interface NegativeNumbers {
  value: -1 | 0 | 1.5
}
export interface Imported {
  level: Level
}
export type Union = 'a' | 'b' | 'c'
export type Wide = 'a' | string
export interface TextOrNumber {
  value: string | number
}
export interface TextOrList {
  value: string | string[]
}
export interface Three {
  value: string | number | boolean | null
}
export interface NumberOrLiteral {
  value: number | 'auto'
}
export interface LiteralOrRecord {
  value: 'none' | { some: string }
}
export interface ListOfUnions {
  list: (string | number)[]
}
export interface EmptyText {
  value: '' | 'x'
}
export interface Unicode {
  value: 'ä' | '日本' | '😀'
}

// Tagged unions
export type Shape = { kind: 'circle'; radius: number } | { kind: 'box'; width: number; height: number }
export interface Circle {
  kind: 'circle'
  radius: number
}
export interface Square {
  kind: 'square'
  side: number
}
export type Figure = Circle | Square
export interface Drawing {
  figures: Figure[]
}
export type Event_ = { type: 'open' } | { type: 'close'; code?: number } | { type: 'data'; data: string[] }
export type NestedUnion = Figure | { kind: 'group'; members: Figure[] }
export type Success = { ok: true; value: string } | { ok: false; error: string }
export type ByNumber = { v: 1; a: string } | { v: 2; b: string }
export type Untagged = { a: string } | { b: number }
export type Overlapping = { a: string; b?: number } | { a: string; c?: number }

// Lists and tuples
export interface Lists {
  a: string[]
  b: Array<number>
  c: ReadonlyArray<boolean>
  d: readonly string[]
}
export interface ListsOfLists {
  grid: number[][]
}
export interface ListOfRecords {
  points: P[]
}
export interface Pair {
  pair: [number, number]
}
export interface NamedPair {
  pair: [from: number, to: string]
}
export interface OptionalPair {
  pair: [number, string?]
}
export interface RestTuple {
  words: [string, ...number[]]
}
export interface ReadonlyTuple {
  pair: readonly ['a', 1]
}
export interface EmptyTuple {
  none: []
}
export interface OnlyRest {
  all: [...string[]]
}
export type TupleOfRecords = [P, { z: number }]
export interface Spread {
  words: [boolean, ...[string, number]]
}

// Records by name
export interface Dictionary {
  words: Record<string, number>
}
export interface OfRecords {
  points: Record<string, P>
}
export interface KeyedByUnion {
  levels: Record<Level, number>
}
export interface IndexSignature {
  [name: string]: number
}
export interface IndexAndField {
  [name: string]: string | number
  id: number
}
export interface NumberKeys {
  byNumber: Record<number, string>
}
export interface PartialRecord {
  levels: Partial<Record<Level, string>>
}
export interface NestedDictionary {
  a: Record<string, Record<string, string[]>>
}
export interface InlineIndex {
  map: { [key: string]: { a: string } }
}
export interface MixedKeys {
  a: Record<'x' | 'y', 1 | 2>
}

// Utility types
interface Person {
  name: string
  age?: number
  address: { city: string; zip?: string }
  tags: string[]
}
export type PartialPerson = Partial<Person>
export type RequiredPerson = Required<Person>
export type ReadonlyPerson = Readonly<Person>
export type PickedPerson = Pick<Person, 'name' | 'age'>
export type OmittedPerson = Omit<Person, 'address'>
export type OmitSeveral = Omit<Person, 'address' | 'tags'>
export type PickPartial = Partial<Pick<Person, 'name'>> & Pick<Person, 'tags'>
export type NotNull = { a: NonNullable<string | null | undefined> }
export type NotNullField = { a: NonNullable<Person['age']> }
export type DeepPick = Pick<Person['address'], 'city'>
export type Excluded = { level: Exclude<Level, 'low'> }
export type Extracted = { level: Extract<Level, 'low' | 'other'> }
export type ExtractFigure = Extract<Figure, { kind: 'circle' }>
export type ExcludeFigure = { figure: Exclude<Figure, { kind: 'circle' }> }
export type Shouted = { level: Uppercase<Level> }
export type Capital = { level: Capitalize<Level> }
export type PartialOfUnion = Partial<Figure>
export type OmitOfUnion = Omit<Figure, 'radius'>
export type RequiredUndefined = Required<{ a?: string | undefined }>
export interface Extended extends Omit<Person, 'age'> {
  age: number
}
export interface ExtendsPartial extends Partial<Person> {
  id: string
}

// keyof and indexed access
export type Keys = { key: keyof Person }
export type Access = { city: Person['address']['city'] }
export type AccessOptional = { age: Person['age'] }
export type AccessList = { tag: Person['tags'][number] }
export type AccessSeveral = { either: Person['name' | 'tags'] }
export type AccessByKeyof = { any: { a: string; b: number }[keyof { a: string; b: number }] }
export type TupleAccess = { second: [string, number][1] }
export type TupleItems = { item: [string, number][number] }
export type RecordOfKeys = Record<keyof P, string>

// Intersections
export type Both = P & { z: number }
export type ThreeParts = { a: string } & { b?: number } & { c: boolean[] }
export type WithUnion = { id: string } & ({ a: number } | { b: string })
export type SameField = { a?: string } & { a: string }
export type NarrowedField = { a: string } & { a: 'x' | 'y' }
export type NestedBoth = { p: { a: string } } & { p: { b: string } }
export type Branded = { id: string & { readonly __brand: 'Id' } }
declare const brand: unique symbol
export type Brand<T, B> = T & { readonly [brand]: B }
export type BrandedBySymbol = { id: Brand<string, 'Id'>; amount: Brand<number, 'Euro'> }
export type LooseText = { color: 'red' | 'green' | (string & {}) }
export type UnknownPart = { a: string & unknown }

// Generics
export interface Box<T> {
  value: T
}
export type BoxOfText = Box<string>
export type BoxOfBox = Box<Box<number>>
export type BoxOfUnion = Box<'a' | 'b'>
export interface Page<T, C = string> {
  items: T[]
  cursor?: C
}
export type PageOfPoints = Page<P>
export type PageByNumber = Page<P, number>
export type Result<T, E = { message: string }> = { ok: true; value: T } | { ok: false; error: E }
export type ResultOfText = Result<string>
export type Maybe<T> = T | null
export type MaybeText = { a: Maybe<string>; b: Maybe<P> }
export type Pairs<A, B = A> = [A, B]
export type PairOfSame = { pair: Pairs<number> }
export interface ExtendsGeneric extends Box<string[]> {
  extra: number
}
export type GenericAccess<T extends { a: unknown }> = T['a']
export type Accessed = { got: GenericAccess<{ a: 'x' }> }
export type PartialOf<T> = Partial<T>
export type PartialOfPoint = PartialOf<P>
export type ListOf<T> = T[]
export type Lists2 = ListOf<ListOf<'a'>>
export type NamedDefault = Named
export type NamedNumber = Named<number>
export type KeyOf<T> = { key: keyof T }
export type KeyOfPoint = KeyOf<P>

// Templates
export type Prefixed = { id: `user-${string}` }
export type Version = { version: `${number}.${number}` }
export type Listed = { size: `${'small' | 'large'}-${'red' | 'blue'}` }
export type Flagged = { flag: `is-${boolean}` }
export type Special = { path: `a.b*(c)${string}` }
export type NestedTemplate = { a: `x-${`y-${string}`}` }
export type TemplateUnion = { a: `a-${string}` | 'b' }

// Enums
export enum Color {
  Red,
  Green,
  Blue,
}
export enum Sparse {
  A = 1,
  B,
  C = 10,
  D,
}
export enum Texts {
  Yes = 'yes',
  No = 'no',
}
export enum Hetero {
  A = 1,
  B = 'b',
}
export enum Flags {
  None = 0,
  A = 1 << 0,
  B = 1 << 1,
  Both = A | B,
}
export enum Constant {
  One = 1,
  Two,
}
export interface WithEnums {
  color: Color
  text: Texts
  other: Hetero
  constant: Constant
}
export interface EnumMember {
  color: Color.Red
  text: Texts.Yes
}
export interface ImportedEnum {
  fruit: Fruit
  apple: Fruit.Apple
}
export interface Sparsely {
  a: Sparse
  b: Flags
}

// Values
export const SIZES = ['s', 'm', 'l'] as const
export interface Sized {
  size: (typeof SIZES)[number]
}
export const COUNTS = [1, 2, 3] as const
export interface Counted {
  count: (typeof COUNTS)[number]
}
export const CONFIG = { host: 'localhost', port: 80, deep: { on: true } } as const
export type ConfigKeys = { key: keyof typeof CONFIG }
export type ConfigValues = { value: (typeof CONFIG)['host' | 'port'] }
export const WIDE = { host: 'localhost', port: 80, list: ['a', 'b'] }
export type WideType = typeof WIDE
export type WidePort = { port: (typeof WIDE)['port'] }
export const TYPED: Person = { name: '', address: { city: '' }, tags: [] }
export type TypedValue = typeof TYPED
export const ONE = 'one'
export type TypeofLiteral = { one: typeof ONE }
export const MAP = { a: 1, b: 2 } as const
export type MapValues = { value: (typeof MAP)[keyof typeof MAP] }
export const NESTED = [
  { id: 'x', n: 1 },
  { id: 'y', n: 2 },
] as const
export type Ids = { id: (typeof NESTED)[number]['id'] }

// Recursion
export interface Tree {
  value: string
  children: Tree[]
}
export interface Linked {
  value: number
  next?: Linked
}
export interface NullLinked {
  value: number
  next: NullLinked | null
}
export interface Folder {
  files: File_[]
  name: string
}
export interface File_ {
  parent?: Folder
  size: number
}
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export interface WithJson {
  data: Json
}
export type Expr = { op: 'num'; value: number } | { op: 'add'; left: Expr; right: Expr }
export interface GenericTree<T> {
  value: T
  kids: GenericTree<T>[]
}
export type TextTree = GenericTree<string>
export type TwoTrees = { a: GenericTree<string>; b: GenericTree<number> }
export interface Mutual {
  other?: Partial<Mutual2>
}
export interface Mutual2 {
  back: Mutual[]
}
export type NestedList = (string | NestedList)[]

// Other files
export interface FromShared {
  point: P
  box: Geo.Box
  label: Geo.Deep.Label
}
export interface ByNamespaceImport {
  point: all.Point
  level: all.Level
  box: all.Geo.Box
}
export interface ReExported {
  place: Place
  whole: Whole
  shape: shapes.Point
}
export interface ByDefault {
  plain: DefaultPlain
}
export interface ImportType {
  point: import('./shared.ts').Point
  box: import('./shared.ts').Geo.Box
}
export interface ImportGeneric {
  named: import('./shared.ts').Named<number>
}

// Merging, namespaces and inheritance
export interface Merged {
  a: string
}
export interface Merged {
  b?: number
}
export namespace Inner {
  export interface Thing {
    a: string
  }
  export type Other = { b: Thing }
}
export interface UsesInner {
  thing: Inner.Thing
  other: Inner.Other
}
export interface Base {
  id: string
}
export interface Middle extends Base {
  middle: number
}
export interface Leaf extends Middle {
  leaf: boolean
}
export interface TwoParents extends Base, P {
  own: string
}
export interface Narrows extends Base {
  id: 'a' | 'b'
}
export interface ExtendsAlias extends LiteralRecord {
  c: string
}

// Tags
export interface Bounds {
  /** @minimum 1 @maximum 10 */
  a: number
  /**
   * How many.
   * @minimum 0
   * @default 5
   */
  b?: number
  /** @minLength 2 @maxLength 4 */
  c: string
  /** @pattern ^[a-z]+$ */
  d: string
  /** @minItems 1 @maxItems 2 */
  e: string[]
  /** @multipleOf 5 */
  f: number
  /** @exclusiveMinimum 0 @exclusiveMaximum 1 */
  g: number
  /** @minimum 3 */
  h: number | null
}
/** @pattern ^x */
export type TaggedAlias = string
export interface UsesTagged {
  id: TaggedAlias
  maybe: TaggedAlias | null
}
export interface NamedList extends Array<string> {}
export interface HoldingItself extends Array<string | HoldingItself> {}
// A union that stands in another union is its members: these lead back to themselves through a part without a name.
export type Expression = number | { op: '+' | '-'; left: Expression | null; right?: Expression }
export type Keywords = boolean | { items?: Keywords | Keywords[] }
export type Deeply = string | (Deeply | null)[]
export interface UsesExpression {
  one: Expression | string
  two?: Expression
  list: (Expression | boolean)[]
}
