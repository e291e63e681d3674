import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { TwotokenError } from '../base/errors.ts'
import { unavailabilities } from '../base/evidence/transport-fault.ts'
import { onOneLine } from '../base/printable.ts'
import { outcomeOf, verdicts } from '../base/verdict.ts'
import { version } from '../base/version.ts'
import { absentParts } from '../configuration/configuration.ts'
import { roles } from '../requirement/define.ts'
import { shownStory } from '../requirement/shown-story.ts'
import { type RunResults, summaryOf } from './results.ts'

const verdict = z.enum(verdicts)
const level = z.enum(['MUST', 'SHOULD', 'TYPICAL', 'ADVISORY', 'INFO'])
const party = z.enum([
  'suite',
  'mint',
  'backend',
  'signaling',
  'mint-double',
  'listener',
  'jwks',
  'client',
  'backend-double',
  'signaling-double',
  'web',
])
const headers = z.array(z.tuple([z.string(), z.string()]))
const message = z.object({ headers, body: z.string() })
const fields = z.record(z.string(), z.unknown()).nullable()
const conversation = {
  id: z.string(),
  from: party,
  to: party,
  at: z.number(),
  durationMs: z.number(),
  case: z.string().exactOptional(),
  token: z
    .object({
      header: fields,
      claims: fields,
      genuine: z.object({ header: fields, claims: fields }).exactOptional(),
    })
    .exactOptional(),
}

const unavailable = z.enum(unavailabilities)

const exchange = z.discriminatedUnion('kind', [
  z.object({
    ...conversation,
    kind: z.literal('http'),
    request: message.extend({ method: z.string(), url: z.string() }),
    response: message.extend({ status: z.number(), statusText: z.string() }).exactOptional(),
    failure: z.string().exactOptional(),
    fault: z.string().exactOptional(),
    unavailable: unavailable.exactOptional(),
    notes: z.array(z.string()).exactOptional(),
  }),
  z.object({
    ...conversation,
    kind: z.literal('websocket'),
    request: z.object({ url: z.string(), headers }),
    events: z.array(
      z.object({
        at: z.number(),
        type: z.enum(['http', 'open', 'sent', 'frame', 'close', 'error', 'timeout']),
        text: z.string(),
      }),
    ),
    verdict: z.string(),
    fault: z.string().exactOptional(),
    unavailable: unavailable.exactOptional(),
  }),
])

const statement = z.object({
  level,
  verdict,
  message: z.string(),
  evidence: z.array(z.string()),
  group: z.number().exactOptional(),
})
const breach = statement.extend({
  seen: z.string(),
  expected: z.string(),
  advice: z.string(),
  case: z.string().exactOptional(),
  fixedAs: z.string().exactOptional(),
})

const check = z.object({
  id: z.string(),
  title: z.string(),
  role: z.enum(roles),
  level,
  clauses: z.array(z.string()),
  why: z.string().exactOptional(),
  verdict,
  durationMs: z.number(),
  reason: z.string().nullable(),
  remarks: z.array(z.string()).exactOptional(),
  cause: z.object({ part: z.enum(['mint', 'backend', 'signaling']), unavailable }).exactOptional(),
  absent: z.object({ what: z.enum(absentParts), reason: z.string() }).exactOptional(),
  findings: z.array(z.union([breach, statement])),
  observations: z.record(z.string(), z.unknown()),
  defect: z.literal(true).exactOptional(),
  waived: z.literal(true).exactOptional(),
  detected: z.literal(true).exactOptional(),
  story: shownStory.exactOptional(),
})

const artefact = z.object({
  title: z.string(),
  file: z.string(),
  requirements: z.array(z.string()).exactOptional(),
})

/** Unknown keys are dropped: a newer version may have written more. */
export const resultsSchema: z.ZodType<RunResults> = z.object({
  tool: z.object({ name: z.literal('twotoken'), version: z.string() }),
  target: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  outcome: z.enum(['conformant', 'nonconformant', 'incomplete', 'error']),
  interrupted: z.literal(true).exactOptional(),
  config: z.string().exactOptional(),
  seed: z.number(),
  summary: z.record(verdict, z.number()),
  checks: z.array(check),
  clauseAddresses: z.record(z.string(), z.string()).exactOptional(),
  outages: z.array(z.object({ cause: z.string(), requirements: z.array(z.string()) })).exactOptional(),
  observations: z.record(z.string(), z.unknown()),
  exchanges: z.array(exchange),
  artefacts: z.array(artefact).exactOptional(),
  leaks: z.array(z.object({ file: z.string(), at: z.string() })).exactOptional(),
})

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

/**
 * Reads a `results.json`.
 * @throws TwotokenError `usage` where it is missing, no JSON, or of another shape
 */
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
    throw unreadable(`${file} has ${Math.round(size / 1_048_576)} MB, more than any results`, undefined)
  return await readFile(file, 'utf8').catch(fail)
}

/** Parses the text of a `results.json`; errors call it `file`. */
export function parseResults(text: string, file: string): RunResults {
  if (isDeeperThan(deepest, text)) throw unreadable(`${file} is nested deeper than any results`, undefined)
  const json = jsonOf(text, file)
  const parsed = resultsSchema.safeParse(json)
  if (!parsed.success) throw unreadable(`${file} ${whatItIs(json, parsed.error)}`, parsed.error)
  assertWhole(parsed.data, file)
  return parsed.data
}

function jsonOf(text: string, file: string): unknown {
  if (text.trim() === '') throw unreadable(`${file} is empty`, undefined)
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
  if (known.newFailures !== undefined) return 'contains the output of twotoken diff'
  if (known.tool.version === version) return `contains no results of a run (${wrong})`
  return `was written by twotoken ${onOneLine(known.tool.version)}, which twotoken ${version} cannot read (${wrong})`
}

const anyReport = z.object({
  tool: z.object({ name: z.literal('twotoken'), version: z.string() }),
  audited: z.unknown().optional(),
  newFailures: z.unknown().optional(),
})

/** Edited results must not come out better than their checks. */
function assertWhole({ summary, outcome, checks, leaks }: RunResults, file: string): void {
  const counted = summaryOf(checks)
  const odd = verdicts.find((name) => counted[name] !== summary[name])
  if (odd !== undefined)
    throw unreadable(
      `${file} is inconsistent: its summary counts ${summary[odd]} ${odd}, its checks ${counted[odd]}`,
      undefined,
    )
  const come = leaks === undefined ? outcomeOf(checks) : 'error'
  // Earlier versions called a run an error that a network or a dead part kept from being judged.
  const isEarlier = outcome === 'error' && come === 'incomplete' && counted.error > 0
  if (come !== outcome && !isEarlier)
    throw unreadable(
      `${file} is inconsistent: its outcome is ${outcome}, but its checks give ${come}`,
      undefined,
    )
}

function unreadable(what: string, cause: unknown): TwotokenError {
  return new TwotokenError('usage', `${what}; use the results.json of twotoken run`, cause)
}
