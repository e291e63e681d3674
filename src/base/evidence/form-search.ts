import type { Found } from './decoded-search.ts'
import { createPrefixAutomaton, type PrefixAutomaton } from './prefix-automaton.ts'
import { reverseText } from './text-view.ts'

/** Finds many known strings in a text at once, also where one is cut at its end or its beginning. */
export interface FormSearch<T> {
  add(form: string, what: T): void
  has(form: string): boolean
  /** The length of the shortest form; infinite without any. */
  shortest(): number
  /** Takes time in proportion to the text, however many forms there are. */
  find(text: string): Found<T>[]
}

/** Share of a cut string that must be left: a shorter rest could be a word of something else. */
const mostOf = 0.4
const shortestCut = 10

/** So few forms cost little to index again when one is added. */
const fewForms = 32

interface Form<T> {
  readonly form: string
  readonly what: T
}

/** The forms by their beginnings, and by their ends. */
interface Index<T> {
  readonly forms: readonly Form<T>[]
  readonly forwards: PrefixAutomaton
  readonly backwards: PrefixAutomaton
}

export function createFormSearch<T>(): FormSearch<T> {
  const known = new Set<string>()
  let shortest = Number.POSITIVE_INFINITY
  let fewest = Number.POSITIVE_INFINITY
  /** Most forms are indexed once for many that are added. */
  const groups: { forms: Form<T>[]; index: Index<T> | null }[] = [
    { forms: [], index: null },
    { forms: [], index: null },
  ]

  return {
    add(form, what) {
      const [many, few] = groups
      if (many === undefined || few === undefined || form === '') return
      known.add(form)
      shortest = Math.min(shortest, form.length)
      fewest = Math.min(fewest, fewestOf(form))
      few.forms.push({ form, what })
      few.index = null
      if (few.forms.length <= fewForms) return
      many.forms.push(...few.forms)
      many.index = null
      few.forms = []
    },
    has: (form) => known.has(form),
    shortest: () => shortest,
    find(text) {
      if (text.length < fewest) return []
      const found: Found<T>[] = []
      for (const group of groups) {
        if (group.forms.length === 0) continue
        group.index ??= createIndex([...group.forms])
        found.push(...findIn(text, group.index))
      }
      return found
    },
  }
}

/** The number of characters at one end of a form by which it is found. */
export function fewestOf(form: string): number {
  return Math.min(form.length, Math.max(shortestCut, Math.ceil(form.length * mostOf)))
}

function createIndex<T>(forms: readonly Form<T>[]): Index<T> {
  return {
    forms,
    forwards: createPrefixAutomaton(forms.map(({ form }) => ({ text: form, least: fewestOf(form) }))),
    backwards: createPrefixAutomaton(
      forms.map(({ form }) => ({ text: reverseText(form), least: fewestOf(form) })),
    ),
  }
}

function* findIn<T>(text: string, { forms, forwards, backwards }: Index<T>): Generator<Found<T>> {
  for (const { start, end, pattern } of forwards.find(text)) {
    const form = forms[pattern]
    if (form !== undefined) yield { start, end, what: form.what }
  }
  const { length } = text
  for (const { start, end, pattern } of backwards.find(reverseText(text))) {
    const form = forms[pattern]
    if (form !== undefined) yield { start: length - end, end: length - start, what: form.what }
  }
}
