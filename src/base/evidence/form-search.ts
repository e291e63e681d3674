import type { Found } from './decoded-search.ts'

/** Finds many known strings in a text at once, also where one is cut at its end or its beginning. */
export interface FormSearch<T> {
  add(form: string, what: T): void
  has(form: string): boolean
  /** The length of the shortest form; infinite without any. */
  shortest(): number
  find(text: string): Found<T>[]
}

/** Of a string that is cut, so much has to be left: less could be a word of something else. */
const mostOf = 0.4
const shortestCut = 10

interface Form<T> {
  readonly form: string
  readonly what: T
  /** What has to be left of its beginning, or of its end. */
  readonly head: string
  readonly tail: string
}

export function createFormSearch<T>(): FormSearch<T> {
  const forms = new Map<string, Form<T>>()
  let pattern: RegExp | null = null

  const anchors = (): RegExp => {
    const texts = new Set([...forms.values()].flatMap(({ head, tail }) => [head, tail]))
    return new RegExp([...texts].map(escapePattern).join('|'), 'g')
  }

  return {
    add(form, what) {
      const length = Math.min(form.length, Math.max(shortestCut, Math.ceil(form.length * mostOf)))
      forms.set(form, { form, what, head: form.slice(0, length), tail: form.slice(-length) })
      pattern = null
    },
    has: (form) => forms.has(form),
    shortest: () => Math.min(...[...forms.keys()].map(({ length }) => length)),
    find(text) {
      const found: Found<T>[] = []
      if (forms.size === 0) return found
      pattern ??= anchors()
      pattern.lastIndex = 0
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        for (const one of forms.values()) found.push(...findAt(text, match.index, one))
        // The search goes on inside: one form may begin in another.
        pattern.lastIndex = match.index + 1
      }
      return found
    },
  }
}

function* findAt<T>(text: string, at: number, { form, what, head, tail }: Form<T>): Generator<Found<T>> {
  if (text.startsWith(head, at)) {
    let length = head.length
    while (length < form.length && text[at + length] === form[length]) length += 1
    yield { start: at, end: at + length, what }
  }
  if (tail !== form && text.startsWith(tail, at)) {
    let before = 0
    const left = form.length - tail.length
    while (before < left && at > before && text[at - before - 1] === form[left - before - 1]) before += 1
    yield { start: at - before, end: at + tail.length, what }
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
