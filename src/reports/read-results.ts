import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { TwotokenError } from '../base/errors.ts'
import { onOneLine } from '../base/printable.ts'
import { outcomeOf, verdicts } from '../base/verdict.ts'
import { version } from '../base/version.ts'
import { type RunResults, resultsSchema, summaryOf } from './results.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}

const mostBytes = 268_435_456
/** A value of an observation has up to 64 levels, below those of the results. */
const deepest = 100

/** Looked for in the text: the values of a text that is nested millions deep take fifty times its size. */
function isDeeperThan(levels: number, json: string): boolean {
  let depth = 0
  for (let place = 0; place < json.length; place += 1) {
    const sign = json[place]
    if (sign === '"') place = endOfString(json, place)
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    if (depth > levels) return true
  }
  return false
}

function endOfString(json: string, start: number): number {
  for (let place = start + 1; place < json.length; place += 1) {
    if (json[place] === '\\') place += 1
    else if (json[place] === '"') return place
  }
  return json.length
}

/** Reads a `results.json`; throws `usage` where it is missing, no JSON, or of another shape. */
export async function readResults(file: string): Promise<RunResults> {
  return parseResults(await readResultsText(file), file)
}

async function readResultsText(file: string): Promise<string> {
  const fail = (cause: NodeJS.ErrnoException) => {
    const why = reasons[cause.code ?? ''] ?? cause.code ?? cause.message
    throw unreadable(`${file} cannot be read: ${why}`, cause)
  }
  const { size } = await stat(file).catch(fail)
  if (size > mostBytes)
    throw unreadable(`${file} has ${Math.round(size / 1_048_576)} MB, more than any results`)
  return await readFile(file, 'utf8').catch(fail)
}

export function parseResults(text: string, file: string): RunResults {
  if (isDeeperThan(deepest, text)) throw unreadable(`${file} is nested deeper than any results`)
  const json = jsonOf(text, file)
  const parsed = resultsSchema.safeParse(json)
  if (!parsed.success) throw unreadable(`${file} ${whatItIs(json, parsed.error)}`, parsed.error)
  assertWhole(parsed.data, file)
  return parsed.data
}

function jsonOf(text: string, file: string): unknown {
  if (text.trim() === '') throw unreadable(`${file} is empty`)
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    const cut = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text)
    throw unreadable(`${file} is ${cut ? 'truncated JSON' : 'not JSON'}`, cause)
  }
}

/** Names what the file is instead: the output of another command or of another version. */
function whatItIs(json: unknown, { issues: [issue] }: z.ZodError): string {
  const place = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.')
  const wrong = `${place} is invalid`
  const { data: known } = anyReport.safeParse(json)
  if (known === undefined) return `contains no results of a run (${wrong})`
  if (known.audited !== undefined) return 'contains results of twotoken audit'
  if (known.tool.version === version) return `contains no results of a run (${wrong})`
  return `was written by twotoken ${onOneLine(known.tool.version)}, which twotoken ${version} cannot read (${wrong})`
}

const anyReport = z.object({
  tool: z.object({ name: z.literal('twotoken'), version: z.string() }),
  audited: z.unknown().optional(),
})

/** Edited results must not come out better than their checks. */
function assertWhole({ summary, outcome, checks }: RunResults, file: string): void {
  const counted = summaryOf(checks)
  const odd = verdicts.find((name) => counted[name] !== summary[name])
  if (odd !== undefined)
    throw unreadable(
      `${file} is inconsistent: its summary counts ${summary[odd]} ${odd}, its checks ${counted[odd]}`,
    )
  const come = outcomeOf(checks)
  if (come !== outcome)
    throw unreadable(`${file} is inconsistent: its outcome is ${outcome}, but its checks give ${come}`)
}

function unreadable(what: string, cause?: unknown): TwotokenError {
  return new TwotokenError('usage', `${what}; use the results.json of twotoken run`, cause)
}
