// Whole programs that ask nobody: strings, lists, records, sorting, searching.
import { type Case, program } from './case.ts'

const fizzbuzz = (upTo: number): string[] =>
  Array.from({ length: upTo }, (_, i) => {
    const n = i + 1
    const word = (n % 3 === 0 ? 'Fizz' : '') + (n % 5 === 0 ? 'Buzz' : '')
    return word || `${n}`
  })

function primesTo(limit: number): number[] {
  const primes: number[] = []
  for (let n = 2; n <= limit; n++) if (primes.every(p => n % p !== 0)) primes.push(n)
  return primes
}

const fibonacci = (n: number): number => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2))

function roman(n: number): string {
  const table = {
    M: 1000,
    CM: 900,
    D: 500,
    CD: 400,
    C: 100,
    XC: 90,
    L: 50,
    XL: 40,
    X: 10,
    IX: 9,
    V: 5,
    IV: 4,
  }
  let left = n
  let out = ''
  for (const [sign, value] of Object.entries({ ...table, I: 1 }))
    while (left >= value) {
      out += sign
      left -= value
    }
  return out
}

const caesar = (text: string, by = 13): string =>
  text.replace(/[a-z]/gi, letter => {
    const base = letter < 'a' ? 65 : 97
    return String.fromCharCode(base + ((letter.charCodeAt(0) - base + by + 26) % 26))
  })

const day = (year: number, month: number, day: number): Date => new Date(Date.UTC(year, month, day))
const name = (date: Date): string => ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][date.getUTCDay()]!

export const algorithms: Case[] = [
  program('fizzbuzz', {
    args: [5],
    gives: Array(3).fill(['1', '2', 'Fizz', '4', 'Buzz']),
    same: (upTo: number) => Array(3).fill(fizzbuzz(upTo)),
  }),
  program('primes', {
    gives: {
      primes: [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47],
      same: true,
      twins: [
        [3, 5],
        [5, 7],
        [11, 13],
        [17, 19],
        [29, 31],
        [41, 43],
      ],
      sum: 328,
    },
    same: () => {
      const primes = primesTo(50)
      const twins = primes.filter(p => primes.includes(p + 2)).map(p => [p, p + 2])
      return { primes, same: true, twins, sum: primes.reduce((a, b) => a + b) }
    },
  }),
  program('words', {
    gives: [
      { word: 'the', times: 4 },
      { word: 'fox', times: 2 },
      { word: 'dog', times: 2 },
    ],
    printed: 'the..4\nfox..2\ndog..2\n',
  }),
  program('bank', {
    gives: {
      ada: 0,
      bob: { owner: 'Bob', balance: 100, history: ['opened with 0', '+30', '+70'] },
      errors: ['2: Bob has only 30', '3: no such account'],
    },
  }),
  program('matrix', {
    gives: {
      fib: 832040,
      turned: [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
      product: [[11]],
    },
    same: () => ({
      fib: fibonacci(30),
      turned: [0, 1, 2].map(column => [[1, 2, 3][column], [4, 5, 6][column]]),
      product: [[1 * 3 + 2 * 4]],
    }),
  }),
  program('sorting', {
    gives: {
      numbers: [1, 3, 5, 5, 7, 9],
      names: ['Ada', 'Bob', 'Cy'],
      words: ['apple', 'fig', 'pear'],
      at: [4, -1],
    },
    same: () => {
      const numbers = [5, 3, 9, 1, 5, 7].toSorted((a, b) => a - b)
      const words = ['pear', 'fig', 'apple'].toSorted()
      return { numbers, names: ['Ada', 'Bob', 'Cy'], words, at: [numbers.indexOf(7), numbers.indexOf(4)] }
    },
  }),
  program('roman', {
    gives: { roman: ['I', 'IV', 'IX', 'XIV', 'MCMXC', 'MMXXVI'], back: [1, 4, 9, 14, 1990, 2026] },
    same: () => {
      const years = [1, 4, 9, 14, 1990, 2026]
      return { roman: years.map(roman), back: years }
    },
  }),
  program('tictactoe', {
    args: [['xo ', '   ', '   ']],
    gives: { winner: null, free: [2, 3, 4, 5, 6, 7, 8], x: 1, o: 0 },
  }),
  program('csv', {
    gives: { cities: ['London, UK', 'Paris'], average: '38.5' },
    printed: '{\n  "name": "Ada",\n  "city": "London, UK",\n  "age": "36"\n}\n',
  }),
  program('caesar', {
    args: ['Hello, World'],
    gives: ['Uryyb, Jbeyq', 'Hello, World', 'Khoor, Zruog', 'Hello, World', true],
    same: (text: string) => [
      caesar(text),
      caesar(caesar(text)),
      caesar(text, 3),
      caesar(caesar(text, 3), -3),
      true,
    ],
  }),
  program('inventory', {
    gives: {
      stock: [
        ['tea', 4],
        ['cup', 2],
      ],
      tags: {
        hot: [{ tag: 'hot', of: 'tea' }],
        drink: [{ tag: 'drink', of: 'tea' }],
        kitchen: [{ tag: 'kitchen', of: 'cup' }],
        glass: [{ tag: 'glass', of: 'cup' }],
      },
      waits: [3, -1],
    },
  }),
  program('outline', {
    gives: ['1. Tea', '  1. Green', '    1. Sencha', '  2. Black', '2. Cups'],
  }),
  program('calendar', {
    gives: { leap: [2000, 2024], march: 61, days: ['Thu', 'Sat', 'Thu'], long: 7 },
    same: () => ({
      leap: [1900, 2000, 2023, 2024].filter(y => day(y, 1, 29).getUTCMonth() === 1),
      march: (day(2024, 2, 1).getTime() - day(2024, 0, 0).getTime()) / 86_400_000,
      days: [day(1970, 0, 1), day(2026, 7, 1), day(2024, 1, 29)].map(name),
      long: [...Array(12).keys()].filter(m => day(2024, m, 31).getUTCMonth() === m).length,
    }),
  }),
]
