import type { Node } from './names.ts'

/** A value of a constant expression; `undefined` where only the running script knows it. */
export type Value =
  | string
  | number
  | readonly Value[]
  /** An object, a function, a class or a pattern of the script, read when it is asked for something. */
  | Node
  | undefined

type Given = readonly Value[]

/** Functions of the platform, and methods of texts and lists, that compilers leave around constants. */
export interface Library {
  /** `undefined` for any other function, and where what it is given is not known. */
  call(path: string, given: Given): Value
  method(object: string | readonly Value[], name: string, given: Given): Value
}

interface Texts {
  textOf(value: Value): string | undefined
  joined(values: readonly Value[], by?: string): string | undefined
}

export function createLibrary({ textOf, joined }: Texts): Library {
  const replaced = (text: string, [what, by]: Given, name: 'replace' | 'replaceAll'): Value => {
    const put = textOf(by)
    if (put === undefined) return undefined
    if (typeof what === 'string') return text[name](what, () => put)
    const { pattern, flags } = patternOf(what)
    return simple.test(pattern) ? text.replace(new RegExp(pattern, flags), put) : undefined
  }
  const calls = new Map<string, (...given: Value[]) => Value>([
    ['String', textOf],
    ['atob', (text) => decoded(text, 'base64')],
    ['decodeURIComponent', unescaped],
    ['unescape', unescaped],
    ['Object.freeze', (object) => object],
    ['String.fromCharCode', fromCodes],
    ['String.fromCodePoint', fromCodes],
    [
      'Buffer.from',
      (bytes, encoding = 'utf8') =>
        isList(bytes) ? Buffer.from(bytes.map(Number)).toString('latin1') : decoded(bytes, encoding),
    ],
  ])
  const ofTexts = new Map<string, (text: string, given: Given) => Value>([
    ...numeric.map((name) => [name, withNumbers(name)] as const),
    ['concat', (text, given) => joined([text, ...given])],
    ['split', (text, [by]) => (typeof by === 'string' ? text.split(by, longestList) : undefined)],
    ['replace', (text, given) => replaced(text, given, 'replace')],
    ['replaceAll', (text, given) => replaced(text, given, 'replaceAll')],
  ])
  const ofLists = new Map<string, (list: readonly Value[], given: Given) => Value>([
    ['join', (list, [by]) => joined(list, textOf(by) ?? ',')],
    ['reverse', (list) => list.toReversed()],
    ['slice', (list, [from, to]) => list.slice(numberOf(from), numberOf(to))],
    ['concat', (list, given) => [list, ...given].flat()],
  ])
  return {
    call: (path, given) => calls.get(path.replace(/^(?:window|self|globalThis)\./, ''))?.(...given),
    method: (object, name, given) =>
      isList(object) ? ofLists.get(name)?.(object, given) : ofTexts.get(name)?.(object, given),
  }
}

const longestList = 10_000

/** Methods of texts that take numbers or nothing. */
const numeric = ['slice', 'substring', 'substr', 'charAt', 'trim', 'toLowerCase', 'toString'] as const
type Numeric = (this: string, ...numbers: (number | undefined)[]) => string
const withNumbers = (name: (typeof numeric)[number]) => (text: string, given: Given) =>
  (text[name] as Numeric).apply(text, given.map(numberOf))

/** A character or a class, or a run of them: what else a pattern may be may take for ever. */
const simple = /^(?:\\?[^\\()*+?{}|[\]]|\\[^\d]|\[(?:[^\]\\]|\\.)+\])\+?$/

function patternOf(value: Value) {
  const { regex } = (value ?? {}) as Partial<Node>
  return (regex ?? { pattern: '', flags: '' }) as { readonly pattern: string; readonly flags: string }
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function numberOf(value: Value): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function decoded(text: Value, encoding: Value): Value {
  return typeof text === 'string' && typeof encoding === 'string' && Buffer.isEncoding(encoding)
    ? Buffer.from(text, encoding).toString('latin1')
    : undefined
}

function fromCodes(...given: readonly Value[]): Value {
  const codes = given.map(Number)
  return codes.every((code) => code >= 0 && code < 0x11_0000) ? String.fromCodePoint(...codes) : undefined
}

function unescaped(text: Value): Value {
  try {
    return typeof text === 'string' ? decodeURIComponent(text) : undefined
  } catch {
    return undefined
  }
}
