import { type KeyShape, shapeOf } from '../key-shape.ts'

export interface KeyCandidate {
  readonly secret: string
  readonly shape: KeyShape
  /** A letter or digit stands directly before the prefix. */
  readonly follows: boolean
  /** The character after the last one of the candidate; empty at the end of the text. */
  readonly next: string
  readonly previous: string
}

const longest = 512

/** The candidate that begins at an index of a text. Never longer than 512 characters. */
export function keyAt(text: string, at: number, prefix: string): KeyCandidate {
  const run = /^[A-Za-z0-9_-]*/.exec(text.slice(at + prefix.length, at + prefix.length + longest))?.[0] ?? ''
  const previous = text[at - 1] ?? ''
  return {
    secret: prefix + run,
    shape: shapeOf(run),
    follows: /[A-Za-z0-9]/.test(previous),
    next: text[at + prefix.length + run.length] ?? '',
    previous,
  }
}
