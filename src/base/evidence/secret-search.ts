import { compactTokens } from './compact-tokens.ts'
import { credentialValues } from './credential-fields.ts'
import { type Find, type Hit, searchDecoded } from './decoded-search.ts'
import { createFormSearch, type FormSearch, fewestOf } from './form-search.ts'
import { createHarmlessTexts, type HarmlessTexts } from './harmless-texts.ts'
import type { SecretKind, ShownKind } from './secret-label.ts'
import { unescapeAll } from './text-view.ts'

export interface Secret {
  readonly kind: ShownKind
  readonly secret: string
}

/** Where a secret is looked for. */
export type Finder = 'text' | 'received' | 'sentence' | 'printed' | 'file'

/** Words are apart from what stands nowhere by chance, and what peers chose is apart from both. */
type Group = 'words' | 'distinct' | 'issued'

/** Secrets that are known, and those that patterns find, in texts and in what these encode. */
export interface SecretSearch {
  /** Adds the forms of a secret. A secret that the patterns find whole needs no separate search. */
  addForms(secret: Secret, group: Group): void
  addForm(form: string, secret: Secret, group: Group): void
  /** Says whether a form is known, and is no word. */
  has(form: string): boolean
  search(text: string, finder: Finder): Hit<Secret>[]
  /** Gives a whole value its kind. */
  identify(value: string): Secret
}

interface State {
  readonly kinds: ReadonlyMap<string, SecretKind>
  readonly groups: Readonly<Record<Group, FormSearch<Secret>>>
  readonly harmless: Map<Finder, Harmless>
}

/** Texts without a secret that is known so far: names and addresses come again and again. */
interface Harmless {
  readonly texts: HarmlessTexts
  readonly encodedRuns: Set<string>
}

/** A server key, whether or not it was registered: its prefix and enough of a suffix to be one. */
const keyPattern = /ac_live_[A-Za-z0-9_-]{8,}/gi
/** In a sentence of the suite's own, what stands in quotes may be of a peer. */
const quotes = /"[^"\n]*"|`[^`\n]*`|“[^”\n]*(?:”|$)/gm
export const shortestSecret = 6
/** The shortest key, or token, without registration. */
const shortestPattern = 16
const mostRuns = 10_000
/** A compressed secret takes at least this part of its length: decimal digits in base64 take about half. */
const leastCompressed = 0.5

export function createSecretSearch(kinds: ReadonlyMap<string, SecretKind>): SecretSearch {
  const state: State = {
    kinds,
    groups: { words: createFormSearch(), distinct: createFormSearch(), issued: createFormSearch() },
    harmless: new Map(),
  }
  return {
    addForms(secret, group) {
      if (!isFoundWhole(secret.secret))
        for (const form of formsOf(secret.secret)) addForm(state, form, secret, group)
    },
    addForm: (form, secret, group) => addForm(state, form, secret, group),
    has: (form) => state.groups.distinct.has(form) || state.groups.issued.has(form),
    search: (text, finder) => search(state, text, finder),
    identify: (value) => identify(state, value),
  }
}

const finders: Readonly<Record<Finder, (state: State, text: string) => ReturnType<Find<Secret>>>> = {
  text: findSecrets,
  *received(state, text) {
    yield* findSecrets(state, text)
    yield* findValues(state, text)
  },
  *sentence(state, text) {
    yield* findPrinted(state, text)
    yield* findValues(state, text)
    for (const { index, 0: quoted } of text.matchAll(quotes))
      for (const { start, end, what } of state.groups.words.find(quoted))
        yield { start: index + start, end: index + end, what }
  },
  printed: findPrinted,
  file: findDistinct,
}

function* findDistinct({ kinds, groups }: State, text: string): ReturnType<Find<Secret>> {
  yield* groups.distinct.find(text)
  for (const { index, 0: secret } of text.matchAll(keyPattern))
    yield { start: index, end: index + secret.length, what: { kind: 'api-key', secret } }
  for (const { start, end, what: secret } of compactTokens(text))
    yield { start, end, what: { kind: kinds.get(secret) ?? 'jwt', secret } }
}

function* findPrinted(state: State, text: string): ReturnType<Find<Secret>> {
  yield* state.groups.issued.find(text)
  yield* findDistinct(state, text)
}

function* findSecrets(state: State, text: string): ReturnType<Find<Secret>> {
  yield* state.groups.words.find(text)
  yield* findPrinted(state, text)
}

function* findValues(state: State, text: string): ReturnType<Find<Secret>> {
  for (const { start, end, what } of credentialValues(text))
    yield { start, end, what: identify(state, unescapeAll(what)) }
}

function identify(state: State, value: string): Secret {
  const kind = state.kinds.get(value)
  if (kind !== undefined) return { kind, secret: value }
  const whole = [...findSecrets(state, value)].find(({ start, end }) => start === 0 && end === value.length)
  return whole?.what ?? { kind: 'secret', secret: value }
}

function search(state: State, text: string, finder: Finder): Hit<Secret>[] {
  const { words, distinct, issued } = state.groups
  const known = state.harmless.get(finder) ?? { texts: createHarmlessTexts(), encodedRuns: new Set() }
  state.harmless.set(finder, known)
  const { texts, encodedRuns } = known
  if (texts.has(text)) return []
  const hits = searchDecoded(text, (part) => finders[finder](state, part), {
    shortest: Math.min(shortestPattern, words.shortest(), distinct.shortest(), issued.shortest()),
    harmless: {
      has: (run) => encodedRuns.has(run),
      add: (run) => encodedRuns.size < mostRuns && encodedRuns.add(run),
    },
  })
  if (hits.length === 0) texts.add(text)
  return hits
}

function addForm(state: State, form: string, secret: Secret, group: Group): void {
  const forms = state.groups[group]
  if (form.length < shortestSecret || forms.has(form)) return
  forms.add(form, secret)
  for (const { texts, encodedRuns } of state.harmless.values()) {
    texts.forget(Math.ceil(fewestOf(form) * leastCompressed))
    encodedRuns.clear()
  }
}

function isFoundWhole(secret: string): boolean {
  const isKey = secret.replace(keyPattern, '') === ''
  return isKey || [...compactTokens(secret)].some(({ start, end }) => start === 0 && end === secret.length)
}

/** How a text may hold a secret, apart from what the search decodes. */
function formsOf(secret: string): string[] {
  return [
    secret,
    // Names of headers and hosts lose their capitals on the way.
    secret.toLowerCase(),
    // The search undoes apparent escapes in the secret, and the bytes of its other characters.
    unescapeAll(secret),
    Buffer.from(secret, 'utf8').toString('latin1'),
    // Forms write a blank as a plus.
    secret.replaceAll(' ', '+'),
  ]
}
