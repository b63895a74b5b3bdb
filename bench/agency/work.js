// The same as work.agency, written by hand.
import { pause } from './pause.ts'

export function fib(n) {
  if (n < 2) return n
  return fib(n - 1) + fib(n - 2)
}

function addOne(n) {
  return n + 1
}

export function addUp(times) {
  let n = 0
  let i = 0
  while (i < times) {
    n = addOne(n)
    i = i + 1
  }
  return n
}

export async function fibLater(n) {
  if (n < 0) return await pause(n)
  if (n < 2) return n
  return (await fibLater(n - 1)) + (await fibLater(n - 2))
}

async function addOneLater(n) {
  if (n < 0) return await pause(n)
  return n + 1
}

export async function addUpLater(times) {
  let n = 0
  let i = 0
  while (i < times) {
    n = await addOneLater(n)
    i = i + 1
  }
  return n
}
