// How times, tokens and costs are written, in the tree and beside each call alike.
import type { Usage } from '@toolwright/core'

/** `40ms`, `1.9s`, `2m 05s`, `3h 07m`. */
export function duration(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))}ms`
  // The border is where one decimal would round up to 60.0.
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  return `${Math.floor(seconds / 3600)}h ${two(Math.floor((seconds % 3600) / 60))}m`
}

/** Tokens read and written, `94 tok`, and the cost, `$0.000`: what is known of them. */
export function spent(usage: Usage): string[] {
  const tokens = usage.input + usage.tokens
  return [
    ...(tokens > 0 ? [`${tokens} tok`] : []),
    ...(usage.cost === undefined ? [] : [`$${usage.cost.toFixed(3)}`]),
  ]
}

/** Own time, `waited` apart from it where somebody took a while, and what was spent: `0.2s, waited 4.1s, 94 tok`. */
export function measures(time: { ms: number; waited: number }, usage?: Usage): string {
  return [
    duration(time.ms),
    // What is shorter was no person, but the machine between two steps.
    ...(time.waited >= 100 ? [`waited ${duration(time.waited)}`] : []),
    ...(usage ? spent(usage) : []),
  ].join(', ')
}

/** `2026-11-30 23:26:07Z`. */
export const when = (ms: number): string => {
  const date = new Date(ms)
  return Number.isFinite(date.getTime()) ? date.toISOString().replace(/T(.*)\.\d+Z$/, ' $1Z') : String(ms)
}
