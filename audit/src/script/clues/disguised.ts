import { literally } from './spelling.ts'

/**
 * How the prefix reads in a script that replaces, splits or shifts its texts: with other words in the place of its
 * parts, with words between its characters, or with other codes.
 * @param places are those that the signs of the calls that do so are at, where they are known
 */
export function disguisesIn(script: string, prefix: string, places?: readonly number[]): RegExp | null {
  const swaps = swapsIn(script, prefix, places)
  const shifts = shiftsIn(script, places)
  const fillers = swaps.filter(({ by }) => by === '')
  const used = swaps.filter(({ by }) => by !== '')
  const forms = [
    ...fillers
      .filter(({ word, around }) => isWithin(around, word, prefix))
      .map(({ word, around }) => ({
        form: [...prefix].map(literally).join(`(?:${literally(word)})?`),
        around,
      })),
    ...(used.some(({ word, by, around }) => isBeside(around, word, by, prefix))
      ? [{ form: swappedForm(prefix, used), around: used.flatMap(({ around }) => around) }]
      : []),
    ...shifts.flatMap((shift) =>
      shifted(prefix, shift)
        .filter((text) => shift.around.some((part) => mayHold(part, text)))
        .map((text) => ({ form: writtenForm(text), around: shift.around })),
    ),
  ]
  const found = forms.flatMap(({ form, around }) => {
    if (form === null) return []
    const pattern = new RegExp(form)
    const matches = around.map((part) => pattern.exec(part)?.[0])
    return matches.some((match) => match !== undefined && match !== prefix) ? [pattern] : []
  })
  return found.length === 0 ? null : new RegExp(found.map(({ source }) => source).join('|'))
}

/** A word that a text is taken apart by is in few other places. */
const mostPlaces = 500

/** Says whether a word is anywhere between two characters of the prefix. */
function isWithin(parts: readonly string[], word: string, prefix: string): boolean {
  return isAnywhere(parts, word, (script, at) => {
    const before = prefix.indexOf(script[at - 1] ?? ' ')
    return before !== -1 && prefix.includes((script[at - 1] ?? '') + (script[at + word.length] ?? ' '))
  })
}

/** Says whether a word is anywhere beside what the prefix has beside what the word becomes. */
function isBeside(parts: readonly string[], word: string, by: string, prefix: string): boolean {
  const from = prefix.indexOf(by)
  const [before, after] = [from === 0 ? null : prefix[from - 1], prefix[from + by.length]]
  return isAnywhere(
    parts,
    word,
    (script, at) => script[at - 1] === before || (after !== undefined && script[at + word.length] === after),
  )
}

function isAnywhere(
  parts: readonly string[],
  word: string,
  isIt: (part: string, at: number) => boolean,
): boolean {
  let places = 0
  for (const part of parts)
    for (let at = part.indexOf(word); at !== -1; at = part.indexOf(word, at + 1)) {
      if (isIt(part, at)) return true
      if (++places > mostPlaces) return false
    }
  return false
}

/** So near to what changes a text the text is looked for: searching a whole bundle costs more than all other clues. */
const nearest = 64 * 1024
const mostCalls = 8

/** Makes a function that adds what is around a call to the stretches that are looked at; calls come in rising order. */
function createAround(script: string): { readonly around: string[]; add(at: number): void } {
  const around: string[] = []
  let reached = 0
  return {
    around,
    add(at) {
      const end = Math.min(script.length, at + nearest)
      if (around.length >= mostCalls || (around.length > 0 && end - reached < nearest)) return
      around.push(script.slice(Math.max(0, at - nearest), end))
      reached = end
    },
  }
}

function mayHold(script: string, text: string): boolean {
  return !/^[\w #-&(-/:-@[\]^{|}~]*$/.test(text) || script.includes(text)
}

/** A word of a text, and its replacement. */
interface Swap {
  readonly word: string
  readonly by: string
  /** Stretches around the calls that replace it. */
  readonly around: readonly string[]
}

const literal = `(["'\`])((?:(?!\\1)[^\\\\\\n]){0,12})\\1`
const second = literal.replaceAll('\\1', '\\k<end>').replace('(["', '(?<end>["')
const pattern = '/(?<pattern>(?:[^/\\\\\\n]|\\\\.){1,24})/[gimu]{0,3}'
const swapping = [
  {
    head: '.replace',
    call: new RegExp(`\\.replace(?:All)?\\(\\s*(?:${literal}|${pattern})\\s*,\\s*${second}`, 'y'),
  },
  { head: '.split(', call: new RegExp(`\\.split\\(\\s*${literal}\\s*\\)\\s*\\.join\\(\\s*${second}`, 'y') },
]
const mostSwaps = 64

/** A pattern for the calls that matter: what they put into a text is nothing, or a part of the prefix. */
export function disguiseSigns(prefix: string): RegExp {
  const parts = Array.from({ length: prefix.length }, (_, from) =>
    Array.from({ length: prefix.length - from }, (_, more) => prefix.slice(from, from + more + 1)),
  ).flat()
  const by = `["'\`](?:${[...new Set(parts)].map(literally).join('|')})?["'\`]`
  return new RegExp(
    [
      `\\.(?:replace|replaceAll)\\(\\s{0,3}(?:["'\`][^"'\`\\n]{1,12}["'\`]|/(?:[^/\\\\[(+*?^$.|\\n]|\\\\[^\\w\\n]){2,24}/[gimu]{0,3})\\s{0,3},\\s{0,3}${by}`,
      `\\.split\\(\\s{0,3}["'\`][^"'\`\\n]{1,12}["'\`]\\s{0,3}\\)\\s{0,3}\\.join\\(\\s{0,3}${by}`,
      shift.source,
    ].join('|'),
  )
}

/** Lists the words that a script replaces by nothing, or by a part of the prefix. */
function swapsIn(script: string, prefix: string, places?: readonly number[]): Swap[] {
  const swaps = new Map<string, Swap & ReturnType<typeof createAround>>()
  for (const { head, call } of swapping)
    for (const { 2: text = '', groups, length, index, [length - 1]: by = '' } of matchesAt(
      script,
      head,
      call,
      places,
    )) {
      if (!prefix.includes(by)) continue
      const source = groups?.['pattern'] ?? ''
      // A pattern that is a text.
      if (/[[(]|\\\w|[^\\][*+?]/.test(source)) continue
      const word = source === '' ? text : source.replace(/\\([^\w])/g, '$1')
      // One mark in the place of another is a clue by itself.
      if (word === by || word.length + by.length < (by === '' ? 2 : 3)) continue
      const known = swaps.get(`${word}\0${by}`)
      if (known === undefined && swaps.size >= mostSwaps) continue
      const swap = known ?? { word, by, ...createAround(script) }
      swap.add(index)
      swaps.set(`${word}\0${by}`, swap)
    }
  return [...swaps.values()]
}

/** Where a pattern matches at a text that it begins with. */
function* matchesAt(
  script: string,
  head: string,
  pattern: RegExp,
  places: readonly number[] | undefined,
): Generator<RegExpExecArray> {
  for (const at of places === undefined ? startsIn(script, head) : startsNear(script, head, places)) {
    pattern.lastIndex = at
    const match = pattern.exec(script)
    if (match !== null) yield match
  }
}

function* startsIn(script: string, head: string): Generator<number> {
  for (let at = script.indexOf(head); at !== -1; at = script.indexOf(head, at + head.length)) yield at
}

/** The farthest that a call begins before what it puts into a text, and what a head goes on behind it. */
const farthest = 64
const behind = 6

/** Finds the heads that rising places belong to: a search of the whole script would cost more. */
function* startsNear(script: string, head: string, places: readonly number[]): Generator<number> {
  let last = -1
  for (const place of places) {
    const from = Math.max(0, place - farthest)
    const at = script.slice(from, place + behind).lastIndexOf(head)
    if (at === -1 || from + at <= last) continue
    last = from + at
    yield last
  }
}

const mostForms = 48

/** The prefix with each part as it is, or as what becomes it. */
function swappedForm(prefix: string, swaps: readonly Swap[]): string | null {
  let forms = 0
  const from = (at: number): string => {
    if (at === prefix.length || ++forms > mostForms) return ''
    const ways = [`${literally(prefix[at] ?? '')}${from(at + 1)}`]
    for (const { word, by } of swaps)
      if (prefix.startsWith(by, at)) ways.push(`${literally(word)}${from(at + by.length)}`)
    return ways.length === 1 ? (ways[0] ?? '') : `(?:${ways.join('|')})`
  }
  const form = from(0)
  return forms > mostForms ? null : form
}

/** A number, or the remainder of a place, as in `text.charCodeAt(i) ^ i % 7`. */
const shift =
  /(?:charCode|codePoint)At\([^()]{0,40}\)\s{0,3}([-+^])\s{0,3}(?:(0x[\da-fA-F]{1,2}|\d{1,3})|\(?[\w$]{1,12}\s{0,3}%\s{0,3}(\d{1,2}))\b/y
const mostShifts = 16
/** Places of a text at which the prefix may begin. */
const mostRemainders = 16

interface Shift {
  readonly operator: string
  readonly by: number
  /** True where each place adds its remainder by that number. */
  readonly isRemainder: boolean
  /** Stretches around the places that add it. */
  readonly around: readonly string[]
}

/** Numbers that a script adds to the codes of texts, or masks them with. */
function shiftsIn(script: string, places?: readonly number[]): Shift[] {
  const found = new Map<string, Shift & ReturnType<typeof createAround>>()
  for (const head of ['charCodeAt(', 'codePointAt('])
    for (const { 1: operator = '', 2: number, 3: divisor = '', index } of matchesAt(
      script,
      head,
      shift,
      places,
    )) {
      const [by, isRemainder] = [Number(number ?? divisor), number === undefined]
      const name = `${operator}${isRemainder ? '%' : ''}${by}`
      const known = found.get(name)
      if (by <= 0 || by >= 128 || (known === undefined && found.size >= mostShifts)) continue
      const added = known ?? { operator, by, isRemainder, ...createAround(script) }
      added.add(index)
      found.set(name, added)
    }
  return [...found.values()]
}

function shifted(prefix: string, { operator, by, isRemainder }: Shift): string[] {
  const codes = [...prefix].map((char) => char.charCodeAt(0))
  if (isRemainder) {
    const stored = (code: number, more: number) =>
      operator === '^' ? code ^ more : operator === '+' ? code - more : code + more
    return Array.from({ length: Math.min(by, mostRemainders) }, (_, first) =>
      String.fromCharCode(...codes.map((code, at) => stored(code, (first + at) % by))),
    )
  }
  if (operator === '^') return [String.fromCharCode(...codes.map((code) => code ^ by))]
  const back = operator === '+' ? -by : by
  const texts = [codes.map((code) => code + back)].filter((list) =>
    list.every((code) => code >= 32 && code < 127),
  )
  const turned = [back, -back].map((turn) =>
    prefix.replace(/[a-z]/gi, (char) => {
      const first = char < 'a' ? 65 : 97
      return String.fromCharCode(((((char.charCodeAt(0) - first + turn) % 26) + 26) % 26) + first)
    }),
  )
  return [...texts.map((list) => String.fromCharCode(...list)), ...(by < 26 ? turned : [])]
}

const letterEscapes: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
  '\0': '0',
}

/** A text as a literal has it: a character that needs one is an escape of any kind. */
function writtenForm(text: string): string {
  return [...text]
    .map((char) => {
      const code = char.charCodeAt(0)
      const hex = code.toString(16).padStart(2, '0')
      const isPlain = code >= 32 && code < 127 && !/["'`\\]/.test(char)
      if (isPlain) return literally(char)
      const letter = letterEscapes[char]
      return [
        '(?:',
        `${literally(char)}|\\\\${literally(char)}|\\\\x${hex}|\\\\u00${hex}`,
        letter === undefined ? '' : `|\\\\${letter}`,
        ')',
      ].join('')
    })
    .join('')
}
