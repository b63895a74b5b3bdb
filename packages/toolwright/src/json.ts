// JSON for programs on stdout: pure, whatever the agent's own code prints, and harmless where a terminal shows it.

/** A value as one line of JSON, in which what a terminal would obey is written as an escape. It reads back the same. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]|[\p{Cf}]/gu, escaped)
}

function escaped(char: string): string {
  return Array.from(
    { length: char.length },
    (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** From here on, what code writes with `console.log` and its like goes to stderr: stdout belongs to the JSON. */
export function keepStdoutPure(): void {
  for (const method of ['log', 'info', 'debug', 'dir', 'table'] as const)
    console[method] = (...args: unknown[]) => console.error(...args)
}
