import parser, { type AstNode, type Features } from 'regjsparser'
import { type Effort, pay } from '../../../model/effort.ts'

/** Looks at a text from a place on, and hands the place behind what it took to what follows. */
type Step = (at: number, next: Next) => boolean
type Next = (at: number) => boolean

interface Search {
  readonly text: string
  /** Groups with the places of what they took. */
  readonly taken: ([from: number, to: number] | undefined)[]
}

type Pattern = AstNode<typeof features>

const features = {
  lookbehind: true,
  namedGroups: true,
  unicodePropertyEscape: true,
} as const satisfies Features

/** A pattern that is being made, for one search at a time. */
interface Making {
  readonly flags: string
  readonly effort: Effort
  readonly search: () => Search
  readonly names: Map<string, number>
  groups: number
}

/**
 * Makes a pattern that pays for each place it looks at, and so may be tried where it can try countless ways.
 * Its methods are the language's, which call `exec`. @returns `null` where it cannot be read
 */
export function countedPattern(pattern: RegExp, effort: Effort): RegExp | null {
  let search: Search = { text: '', taken: [] }
  const making: Making = { flags: pattern.flags, effort, search: () => search, names: new Map(), groups: 0 }
  let step: Step
  try {
    step = stepOf(
      parser.parse(pattern.source, pattern.flags.replace(/[^u]/g, ''), features) as Pattern,
      making,
    )
  } catch (error) {
    // It says what it cannot read by an error of its syntax.
    if (error instanceof Error) return null
    throw error
  }
  class Counted extends RegExp {
    override exec(text: string): RegExpExecArray | null {
      const isKept = this.global || this.sticky
      for (let at = isKept ? this.lastIndex : 0; at <= text.length; at++) {
        search = { text, taken: [] }
        let end = -1
        const take = (to: number) => {
          end = to
          return true
        }
        if (step(at, take)) {
          if (isKept) this.lastIndex = end
          return foundIn(search, at, end, making)
        }
        if (this.sticky) break
      }
      if (isKept) this.lastIndex = 0
      return null
    }
  }
  const counted = new Counted(pattern.source, pattern.flags)
  counted.lastIndex = pattern.lastIndex
  return counted
}

function foundIn(
  { text, taken }: Search,
  at: number,
  end: number,
  { groups, names }: Making,
): RegExpExecArray {
  const textOf = (index: number) => {
    const place = taken[index]
    return place === undefined ? undefined : text.slice(...place)
  }
  const parts = Array.from({ length: groups }, (_, index) => textOf(index)) as string[]
  const found = [text.slice(at, end), ...parts] as unknown as RegExpExecArray
  found.index = at
  found.input = text
  if (names.size > 0)
    found.groups = Object.fromEntries([...names].map(([name, index]) => [name, textOf(index) as string]))
  return found
}

function stepOf(node: Pattern, making: Making): Step {
  const { effort, search } = making
  switch (node.type) {
    case 'alternative':
      return inTurn(node.body.map((part) => stepOf(part, making)))
    case 'disjunction': {
      const ways = node.body.map((part) => stepOf(part, making))
      return (at, next) => ways.some((way) => way(at, next))
    }
    case 'group':
      return groupOf(node, making)
    case 'quantifier':
      return repeated(node, making)
    case 'anchor': {
      const isThere = placeOf(node.kind, making.flags)
      return (at, next) => isThere(search().text, at) && next(at)
    }
    case 'reference': {
      const index = node.name === undefined ? node.matchIndex - 1 : making.names.get(node.name.value)
      const plain = (text: string) => (making.flags.includes('i') ? text.toLowerCase() : text)
      return (at, next) => {
        const { text, taken } = search()
        const place = index === undefined ? undefined : taken[index]
        const wanted = place === undefined ? '' : text.slice(...place)
        pay(effort, 1 + wanted.length)
        return plain(text.slice(at, at + wanted.length)) === plain(wanted) && next(at + wanted.length)
      }
    }
    default: {
      const take = characterOf(node, making)
      return (at, next) => {
        const to = take(at)
        return to !== -1 && next(to)
      }
    }
  }
}

function inTurn(steps: readonly Step[]): Step {
  const from = (index: number, at: number, next: Next): boolean => {
    const step = steps[index]
    return step === undefined ? next(at) : step(at, (to) => from(index + 1, to, next))
  }
  return (at, next) => from(0, at, next)
}

/** Makes what takes a single character. @returns the place behind it, or -1 */
function characterOf({ raw }: Pattern, { flags, effort, search }: Making): (at: number) => number {
  // The language itself knows which characters a class holds.
  const pattern = new RegExp(`^(?:${raw})$`, flags.replace(/[^isuv]/g, ''))
  const isWide = /[uv]/.test(flags)
  const known = new Map<string, boolean>()
  return (at) => {
    pay(effort, 1)
    const { text } = search()
    if (at >= text.length) return -1
    const char = isWide ? String.fromCodePoint(text.codePointAt(at) ?? 0) : (text[at] ?? '')
    let is = known.get(char)
    if (is === undefined) {
      is = pattern.test(char)
      known.set(char, is)
    }
    return is ? at + char.length : -1
  }
}

function groupOf(node: Extract<Pattern, { type: 'group' }>, making: Making): Step {
  const { search } = making
  const index = node.behavior === 'normal' ? making.groups++ : -1
  if (node.behavior === 'normal' && node.name !== undefined) making.names.set(node.name.value, index)
  const inner = inTurn(node.body.map((part) => stepOf(part, making)))
  switch (node.behavior) {
    case 'normal':
      return (at, next) =>
        inner(at, (to) => {
          const { taken } = search()
          const before = taken[index]
          taken[index] = [at, to]
          if (next(to)) return true
          taken[index] = before
          return false
        })
    case 'lookahead':
      return (at, next) => inner(at, () => true) && next(at)
    case 'negativeLookahead':
      return (at, next) => !inner(at, () => true) && next(at)
    case 'lookbehind':
      return (at, next) => endsAt(inner, at) && next(at)
    case 'negativeLookbehind':
      return (at, next) => !endsAt(inner, at) && next(at)
    default:
      return inner
  }
}

/** Says whether something that is looked for ends at a place. */
function endsAt(inner: Step, at: number): boolean {
  for (let from = at; from >= 0; from--) if (inner(from, (to) => to === at)) return true
  return false
}

function repeated(node: Extract<Pattern, { type: 'quantifier' }>, making: Making): Step {
  const [body] = node.body
  const { min, max = Number.POSITIVE_INFINITY, greedy } = node
  const first = making.groups
  if (greedy && /^(?:value|dot|characterClass|characterClassEscape)$/.test(body.type))
    return run(characterOf(body, making), min, max)
  const step = stepOf(body, making)
  const last = making.groups
  const { search } = making
  const from = (count: number, at: number, next: Next): boolean => {
    const again = () => {
      const { taken } = search()
      const before = taken.slice(first, last)
      taken.fill(undefined, first, last)
      if (step(at, (to) => (to > at || count < min) && from(count + 1, to, next))) return true
      for (const [index, place] of before.entries()) taken[first + index] = place
      return false
    }
    if (count < min) return again()
    if (count >= max) return next(at)
    return greedy ? again() || next(at) : next(at) || again()
  }
  return (at, next) => from(0, at, next)
}

/** Takes as many characters as there are, and then one less at a time: a long run needs no call in a call for each. */
function run(take: (at: number) => number, min: number, max: number): Step {
  return (at, next) => {
    const ends = [at]
    while (ends.length <= max) {
      const to = take(ends.at(-1) ?? at)
      if (to === -1) break
      ends.push(to)
    }
    for (let count = ends.length - 1; count >= min; count--) if (next(ends[count] ?? at)) return true
    return false
  }
}

function placeOf(kind: string, flags: string): (text: string, at: number) => boolean {
  const isLines = flags.includes('m')
  const isEnd = (char: string | undefined) =>
    char === undefined || (isLines && /[\n\r\u2028\u2029]/.test(char))
  const isWord = (char = '') => /\w/.test(char)
  switch (kind) {
    case 'start':
      return (text, at) => isEnd(text[at - 1])
    case 'end':
      return (text, at) => isEnd(text[at])
    case 'boundary':
      return (text, at) => isWord(text[at - 1]) !== isWord(text[at])
    default:
      return (text, at) => isWord(text[at - 1]) === isWord(text[at])
  }
}
