// Declarations that the corpus imports.
export interface Point {
  x: number
  y: number
}

export interface Named<T = string> {
  name: T
}

export type Level = 'low' | 'middle' | 'high'

export namespace Geo {
  export interface Box {
    from: Point
    to: Point
  }
  export namespace Deep {
    export type Label = `geo-${string}`
  }
}

export enum Fruit {
  Apple = 'apple',
  Pear = 'pear',
}

export default interface Plain {
  plain: true
}
