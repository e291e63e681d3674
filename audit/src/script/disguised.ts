import { literally } from './spelling.ts'

/**
 * How the prefix reads in a script that replaces, splits or shifts its texts: with other words in the place of its
 * parts, with words between its characters, or with other codes.
 */
export function disguisesIn(script: string, prefix: string): RegExp | null {
  const swaps = swapsIn(script)
  const fillers = swaps.filter(({ word, by }) => by === '' && word.length > 1)
  const used = swaps.filter(
    // One mark in the place of another is a clue by itself.
    ({ word, by }) => by !== '' && word.length + by.length > 2 && word !== by && prefix.includes(by),
  )
  const forms = [
    ...fillers
      .filter(({ word }) => isWithin(script, word, prefix))
      .map(({ word }) => [...prefix].map(literally).join(`(?:${literally(word)})?`)),
    ...(used.some(({ word, by }) => isBeside(script, word, by, prefix)) ? [swappedForm(prefix, used)] : []),
    ...shiftsIn(script)
      .flatMap((shift) => shifted(prefix, shift))
      .filter((text) => mayHold(script, text))
      .map(writtenForm),
  ]
  const found = [...new Set(forms)]
    .filter((form) => form !== null)
    .map((form) => new RegExp(form))
    .filter((form) => {
      const [match] = form.exec(script) ?? []
      return match !== undefined && match !== prefix
    })
  return found.length === 0 ? null : new RegExp(found.map(({ source }) => source).join('|'))
}

/** A word that a text is taken apart by is in few other places. */
const mostPlaces = 500

/** Says whether a word is anywhere between two characters of the prefix. */
function isWithin(script: string, word: string, prefix: string): boolean {
  return isAnywhere(script, word, (at) => {
    const before = prefix.indexOf(script[at - 1] ?? ' ')
    return before !== -1 && prefix.includes((script[at - 1] ?? '') + (script[at + word.length] ?? ' '))
  })
}

/** Says whether a word is anywhere beside what the prefix has beside what the word becomes. */
function isBeside(script: string, word: string, by: string, prefix: string): boolean {
  const from = prefix.indexOf(by)
  const [before, after] = [from === 0 ? null : prefix[from - 1], prefix[from + by.length]]
  return isAnywhere(
    script,
    word,
    (at) => script[at - 1] === before || (after !== undefined && script[at + word.length] === after),
  )
}

function isAnywhere(script: string, word: string, isIt: (at: number) => boolean): boolean {
  let places = 0
  for (let at = script.indexOf(word); at !== -1; at = script.indexOf(word, at + 1)) {
    if (isIt(at)) return true
    if (++places > mostPlaces) return false
  }
  return false
}

function mayHold(script: string, text: string): boolean {
  return !/^[\w #-&(-/:-@[\]^{|}~]*$/.test(text) || script.includes(text)
}

/** A word of a text, and its replacement. */
interface Swap {
  readonly word: string
  readonly by: string
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

function swapsIn(script: string): Swap[] {
  const swaps = new Map<string, Swap>()
  for (const { head, call } of swapping)
    for (const { 2: text = '', groups, length, [length - 1]: by = '' } of matchesAt(script, head, call)) {
      if (swaps.size >= mostSwaps) break
      const source = groups?.['pattern'] ?? ''
      // A pattern that is a text.
      if (/[[(]|\\\w|[^\\][*+?]/.test(source)) continue
      const word = source === '' ? text : source.replace(/\\([^\w])/g, '$1')
      if (word !== '') swaps.set(`${word}\0${by}`, { word, by })
    }
  return [...swaps.values()]
}

/** Where a pattern matches at a text that it begins with. */
function* matchesAt(script: string, head: string, pattern: RegExp): Generator<RegExpExecArray> {
  for (let at = script.indexOf(head); at !== -1; at = script.indexOf(head, at + head.length)) {
    pattern.lastIndex = at
    const match = pattern.exec(script)
    if (match !== null) yield match
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

const shift = /(?:charCode|codePoint)At\([^()]{0,40}\)\s{0,3}([-+^])\s{0,3}(0x[\da-fA-F]{1,2}|\d{1,3})\b/y
const mostShifts = 16

/** Numbers that a script adds to the codes of texts, or masks them with. */
function shiftsIn(script: string): { readonly operator: string; readonly by: number }[] {
  const found = new Map<string, { operator: string; by: number }>()
  for (const [, operator = '', by = ''] of [
    ...matchesAt(script, 'charCodeAt(', shift),
    ...matchesAt(script, 'codePointAt(', shift),
  ]) {
    if (found.size >= mostShifts) break
    found.set(operator + by, { operator, by: Number(by) })
  }
  return [...found.values()].filter(({ by }) => by > 0 && by < 128)
}

function shifted(
  prefix: string,
  { operator, by }: { readonly operator: string; readonly by: number },
): string[] {
  const codes = [...prefix].map((char) => char.charCodeAt(0))
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
