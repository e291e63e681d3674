import { type Effort, OverEffort, partOf, pay } from '../../model/effort.ts'
import { collectGarbage } from '../../model/garbage.ts'
import { leaveBehind } from '../parser-memory.ts'
import type { Node } from '../scope.ts'
import { charactersInStep } from '../value.ts'
import { Interpreter, type Way } from './interpreter.ts'
import { createLibrary } from './library.ts'

/** A text that a running script has made. */
export interface MadeText {
  readonly value: string
  readonly start: number
}

export interface Pieces {
  /** The tree of a script. */
  readonly tree: Node
  readonly prefix: string
  /** Says whether a part of the script handles a piece of what is looked for. */
  readonly isOfInterest: (node: Node) => boolean
  /** Gives the tree of a script in a text; `null` where it is none. */
  readonly parse: (text: string) => Node | null
}

/** Both ways of a script's conditions cost as much. */
const stepsOfRun = 2_000_000
const stepsOfByte = 6
const mostSteps = 12_000_000
const bytesOfRun = 6_000_000
const mostTexts = 2_000
const longBody = 12_000
const largeScript = 500_000

export interface RunPieces {
  /** Keys and tokens among the texts that the script makes; a text that is the beginning of another one is left out. */
  readonly texts: readonly MadeText[]
  /** `false` where running it costs more than it may. */
  readonly isWhole: boolean
}

/** Runs the parts of a script that handle pieces of a key or a token. */
export function runPieces({ tree, prefix, isOfInterest, parse }: Pieces, effort: Effort): RunPieces {
  const made = new Map<string, number>()
  let isWhole = true
  const own = () => {
    const steps = Math.min(stepsOfRun + stepsOfByte * (tree.end - tree.start), mostSteps, effort.steps / 2)
    return partOf(effort, { steps, bytes: bytesOfRun })
  }
  const run = (way: Way): { readonly isEnded: boolean; readonly hasChosen: boolean } => {
    const spent = own()
    const watched = {
      made(text: string, node: Node) {
        if (text.length < prefix.length + fewestMore) return
        pay(spent, text.length / charactersInStep)
        if (made.has(text) || !(text.includes(prefix) || holdsToken(text))) return
        if (made.size < mostTexts) made.set(text, node.start)
        else isWhole = false
      },
      isOfInterest,
      parse,
    }
    const interpreter = new Interpreter(spent, watched, way, createLibrary)
    try {
      interpreter.runScript(tree)
      return { isEnded: false, hasChosen: interpreter.hasChosen }
    } catch (error) {
      if (!(error instanceof OverEffort || error instanceof RangeError)) throw error
      return { isEnded: true, hasChosen: interpreter.hasChosen }
    } finally {
      leaveBehind(bytesOfRun - spent.bytes)
    }
  }
  // Garbage of the reading would be there besides.
  if (tree.end - tree.start > largeScript) collectGarbage()
  for (const isOther of [false, true]) {
    const { isEnded, hasChosen } = run({ isOther, longBody })
    // Parts that matter to no key may cost the most: without them the rest is run again.
    if (isEnded && run({ isOther, longBody: 0 }).isEnded) isWhole = false
    if (!hasChosen) break
  }
  const texts = [...made].map(([value, start]) => ({ value, start }))
  const sorted = texts.map(({ value }) => value).sort()
  const isBeginning = new Set(sorted.filter((value, at) => sorted[at + 1]?.startsWith(value) === true))
  return { texts: texts.filter(({ value }) => !isBeginning.has(value)), isWhole }
}

/** Characters that a key has behind its prefix. */
const fewestMore = 8
const shortestHead = 10

/** Says whether a text holds the first two parts of a token; each of its runs is looked at once. */
function holdsToken(text: string): boolean {
  for (const { 0: run, index } of text.matchAll(/[\w-]+/g)) {
    const end = index + run.length
    if (text[end] !== '.' || !/[\w-]/.test(text[end + 1] ?? '')) continue
    const at = run.search(/e[wy]/)
    if (at !== -1 && run.length - at >= shortestHead) return true
  }
  return false
}
