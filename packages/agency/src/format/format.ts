// Lays a file out in the one way. Comments stay: on a line of their own before what they stood before or in, or behind
// it on its line. Of blank lines, one stays where there were any.
import { parse } from '../parse/parse.ts'
import type { Comment, Node, Program, Span } from '../syntax/ast.ts'
import type { AgencyFault } from '../syntax/fault.ts'
import { print, type Tries } from '../syntax/print.ts'
import { walk } from '../syntax/walk.ts'

/** The file, laid out; or what is wrong with it: a file with faults is left as it is. */
export type Formatted = { text: string } | { faults: AgencyFault[] }

export function format(source: string): Formatted {
  const { program, faults } = parse(source)
  if (faults.length > 0) return { faults }
  return { text: new Layout(source, program).text() }
}

/** Where the layout stood, and how many comments it had put. */
interface Mark {
  next: number
  at: number
  count: number
}

/** Where it stood afterwards, and which comments it put on the way. */
interface Given {
  next: number
  at: number
  given: readonly Comment[]
}

class Layout {
  private readonly source: string
  private readonly program: Program
  private readonly comments: readonly Comment[]
  private readonly taken = new Set<Comment>()
  /** The same, in the order in which they were. */
  private readonly given: Comment[] = []
  /** Where the next comment may be that nobody has taken. */
  private next = 0
  /** The end of what was laid out last. */
  private at = 0

  constructor(source: string, program: Program) {
    this.source = source
    this.program = program
    this.comments = program.comments
  }

  text(): string {
    return print(this.program, {
      before: (span, first) => this.before(span, first),
      last: end => this.last(end),
      behind: span => this.behind(span),
      tries: this.tries,
    })
  }

  /** Lines may be thrown away: then their comments are still to be put somewhere. */
  private readonly tries: Tries = {
    mark: (): Mark => ({ next: this.next, at: this.at, count: this.given.length }),
    since: mark => {
      const { count } = mark as Mark
      return { next: this.next, at: this.at, given: this.given.slice(count) } satisfies Given
    },
    undo: mark => {
      const { next, at, count } = mark as Mark
      for (const comment of this.given.splice(count)) this.taken.delete(comment)
      Object.assign(this, { next, at })
    },
    redo: since => {
      const { next, at, given } = since as Given
      for (const comment of given) this.give(comment)
      Object.assign(this, { next, at })
    },
  }

  private give(comment: Comment): void {
    if (this.taken.has(comment)) return
    this.taken.add(comment)
    this.given.push(comment)
  }

  private before(span: Span, first: boolean): string[] {
    const lines = this.upTo(span.start, first)
    if (this.blank(this.at, span.start) && (!first || lines.length > 0)) lines.push('')
    else if (!first && lines.length === 0 && apart(span as Node)) lines.push('')
    // What stands inside of it where nothing has a line of its own comes before it.
    const inner = inside(span as Node)
    for (const comment of this.within(span))
      if (!inner.some(body => body.start <= comment.start && comment.end <= body.end))
        lines.push(...this.take(comment))
    this.at = span.start
    return lines
  }

  private last(end: number): string[] {
    const lines = this.upTo(end, false)
    this.at = end
    // No blank line at the end of a body.
    while (lines.at(-1) === '') lines.pop()
    return lines
  }

  /** A comment behind a statement on its line. */
  private behind(span: Span): string {
    this.at = Math.max(this.at, span.end)
    const comment = this.comments.find(each => each.start >= span.end && !this.taken.has(each))
    // A node in parentheses ends before them.
    if (!comment || !/^[ \t;,)]*$/.test(this.source.slice(span.end, comment.start))) return ''
    if (comment.text.includes('\n') || !this.endsLine(comment)) return ''
    this.take(comment)
    this.at = comment.end
    return ` ${comment.text}`
  }

  private endsLine(comment: Comment): boolean {
    return /^[ \t\r]*(\n|$|\})/.test(this.source.slice(comment.end, comment.end + 200))
  }

  /** The comments before `end`, each on lines of its own. */
  private upTo(end: number, first: boolean): string[] {
    const lines: string[] = []
    while (this.next < this.comments.length && this.comments[this.next]!.start < end) {
      const comment = this.comments[this.next++]!
      if (this.taken.has(comment)) continue
      if (this.blank(this.at, comment.start) && !(first && lines.length === 0)) lines.push('')
      lines.push(...this.take(comment))
      this.at = comment.end
    }
    return lines
  }

  private within(span: Span): Comment[] {
    const found: Comment[] = []
    for (let i = this.next; i < this.comments.length && this.comments[i]!.start < span.end; i++)
      if (!this.taken.has(this.comments[i]!)) found.push(this.comments[i]!)
    return found
  }

  /** Its lines, without the indentation that it had. */
  private take(comment: Comment): string[] {
    this.give(comment)
    const lines = comment.text.replaceAll('\r\n', '\n').split('\n')
    const column = comment.start - (this.source.lastIndexOf('\n', comment.start - 1) + 1)
    return lines.map((line, i) => (i === 0 ? line : without(line, column)).trimEnd())
  }

  private blank(from: number, to: number): boolean {
    return from < to && /\n[ \t\r]*\n/.test(this.source.slice(from, to))
  }
}

/** `line` without up to `column` of the blanks at its beginning. */
function without(line: string, column: number): string {
  const blanks = /^[ \t]*/.exec(line)![0].length
  return line.slice(Math.min(blanks, column))
}

/** Functions, and types with fields, stand apart. */
function apart(node: Node): boolean {
  return node.kind === 'def' || (node.kind === 'typeDef' && node.type.kind === 'typeRecord')
}

/** The bodies in a statement, whose statements, arms and fields have lines of their own. */
function inside(node: Node): Span[] {
  const found: Span[] = []
  walk(node, each => {
    if (each === node) return true
    if (each.kind === 'block' || each.kind === 'match' || each.kind === 'typeRecord') {
      found.push(each)
      return false
    }
    return true
  })
  return found
}
