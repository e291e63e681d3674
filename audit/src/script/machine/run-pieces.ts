import { type Effort, OverEffort, partOf, pay } from '../../model/effort.ts'
import { collectGarbage } from '../../model/garbage.ts'
import { charactersInStep } from '../evaluate/value.ts'
import { leaveBehind } from '../parse/parser-memory.ts'
import { type Node, nodeAt } from '../parse/scope.ts'
import type { Parts } from '../reach/parts.ts'
import { measureBy } from './favourites.ts'
import { createRunning, runScript } from './interpreter.ts'
import { createLibrary } from './library/library.ts'
import type { Way } from './running.ts'

/** A text that a running script has made. */
export interface MadeText {
  readonly value: string
  readonly start: number
}

export interface Pieces {
  /** The tree of a script. */
  readonly tree: Node
  readonly prefix: string
  readonly parts: Parts
  /** Expressions that are known to give a key or a token. */
  readonly folded: readonly Node[]
  /** Gives the tree of a script in a text; `null` where it is none. */
  readonly parse: (text: string) => Node | null
}

const stepsOfRun = 2_000_000
const stepsOfByte = 6
const mostSteps = 12_000_000
/** Parts that may be anything are worth less. */
const stepsOfGuess = 1_000_000
const bytesOfRun = 6_000_000
const mostTexts = 2_000
const longBody = 12_000
const largeScript = 500_000

export interface RunPieces {
  /** Keys and tokens among the texts that the script makes; a text that is the beginning of another one is left out. */
  readonly texts: readonly MadeText[]
  /** Parts whose pieces spell the prefix, of which no key or token is known. */
  readonly open: readonly number[]
  /** `false` where running it ended too early, and pieces of a key are left that no key was made of. */
  readonly isWhole: boolean
}

/** Runs the parts of a script that handle pieces of a key or a token. */
export function runPieces(pieces: Pieces, effort: Effort): RunPieces {
  const { tree, parts } = pieces
  const found: Found = { texts: new Map(), known: new Set() }
  for (const node of pieces.folded) know(found, parts, node)
  const open = () => {
    const left = [...parts.sure].filter((part) => !found.known.has(part))
    // Whatever it was made by, it was made of the only pieces.
    return parts.sure.size === 1 && found.texts.size > 0 ? [] : left
  }
  // Garbage of the reading would be there besides.
  if (tree.end - tree.start > largeScript) collectGarbage()
  let isEnded = false
  for (const isOther of [false, true]) {
    const first = run(pieces, { isOther, longBody }, found, effort)
    // Parts that matter to no key may cost the most: without them the rest is run again.
    if (first.isEnded) isEnded = run(pieces, { isOther, longBody: 0 }, found, effort).isEnded || isEnded
    if (!first.hasChosen || open().length === 0) break
  }
  const isAll = found.texts.size < mostTexts
  return { texts: textsOf(found), open: open(), isWhole: isAll && (!isEnded || open().length === 0) }
}

interface Found {
  readonly texts: Map<string, number>
  /** Parts of which a key or a token is known. */
  readonly known: Set<number>
}

function know({ known }: Found, parts: Parts, node: Node): void {
  // Only what is added to may hold a piece.
  const part = parts.partOf(node) ?? parts.partOf(nodeAt(node, 'left') ?? node)
  if (part !== undefined) known.add(part)
}

interface Ran {
  readonly isEnded: boolean
  /** A condition was not known. */
  readonly hasChosen: boolean
}

function run({ tree, prefix, parts, parse }: Pieces, way: Way, found: Found, effort: Effort): Ran {
  const { texts } = found
  const most = Math.min(stepsOfRun + stepsOfByte * (tree.end - tree.start), mostSteps)
  const steps = Math.min(parts.sure.size === 0 ? stepsOfGuess : most, effort.steps / 2)
  const spent = partOf(effort, { steps, bytes: bytesOfRun })
  const made = (text: string, node: Node) => {
    if (text.length < prefix.length + fewestMore) return
    pay(spent, text.length / charactersInStep)
    if (!isSecretIn(text, prefix)) return
    know(found, parts, node)
    if (!texts.has(text) && texts.size < mostTexts) texts.set(text, node.start)
  }
  const running = createRunning(
    spent,
    { made, isOfInterest: parts.isIn, measure: measureBy(prefix), parse },
    way,
    createLibrary,
  )
  try {
    runScript(running, tree)
    return { isEnded: false, hasChosen: running.hasChosen }
  } catch (error) {
    if (!(error instanceof OverEffort || error instanceof RangeError)) throw error
    return { isEnded: true, hasChosen: running.hasChosen }
  } finally {
    leaveBehind(bytesOfRun - spent.bytes)
  }
}

function textsOf({ texts }: Found): MadeText[] {
  const sorted = [...texts.keys()].sort()
  const isBeginning = new Set(sorted.filter((value, at) => sorted[at + 1]?.startsWith(value) === true))
  return [...texts].filter(([value]) => !isBeginning.has(value)).map(([value, start]) => ({ value, start }))
}

/** Characters that a key has behind its prefix. */
const fewestMore = 8
const shortestHead = 10

/** Says whether a text holds a key, or the first two parts of a token. */
export function isSecretIn(text: string, prefix: string): boolean {
  for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + prefix.length))
    if (isKeyAt.test(text.slice(at + prefix.length, at + prefix.length + fewestMore))) return true
  return holdsToken(text)
}

const isKeyAt = /^[\w-]{8}$/

/** Looks at each run of a text once. */
function holdsToken(text: string): boolean {
  for (const { 0: run, index } of text.matchAll(/[\w-]+/g)) {
    const end = index + run.length
    if (text[end] !== '.' || !/[\w-]/.test(text[end + 1] ?? '')) continue
    const at = run.search(/e[wy]/)
    if (at !== -1 && run.length - at >= shortestHead) return true
  }
  return false
}
