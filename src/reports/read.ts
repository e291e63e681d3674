import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { roles } from '../check/check.ts'
import { verdicts } from '../check/verdict.ts'
import { TwotokenError } from '../errors.ts'
import type { RunResults } from './results.ts'

const verdict = z.enum(verdicts)
const level = z.enum(['MUST', 'SHOULD', 'TYPICAL', 'ADVISORY', 'INFO'])
const party = z.enum(['suite', 'mint', 'backend', 'signaling', 'mint-double', 'listener', 'jwks', 'client'])
const headers = z.array(z.tuple([z.string(), z.string()]))
const message = z.object({ headers, body: z.string() })
const conversation = { id: z.string(), from: party, to: party, at: z.number(), durationMs: z.number() }

const exchange = z.discriminatedUnion('kind', [
  z.object({
    ...conversation,
    kind: z.literal('http'),
    request: message.extend({ method: z.string(), url: z.string() }),
    response: message.extend({ status: z.number(), statusText: z.string() }).exactOptional(),
    failure: z.string().exactOptional(),
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
  }),
])

const check = z.object({
  id: z.string(),
  title: z.string(),
  role: z.enum(roles),
  level,
  clauses: z.array(z.string()),
  verdict,
  durationMs: z.number(),
  reason: z.string().nullable(),
  findings: z.array(z.object({ level, verdict, message: z.string(), evidence: z.array(z.string()) })),
  observations: z.record(z.string(), z.unknown()),
  waived: z.literal(true).exactOptional(),
})

/** Keys that are not known here are left out: a newer version may have written more. */
const results: z.ZodType<RunResults> = z.object({
  tool: z.object({ name: z.literal('twotoken'), version: z.string() }),
  target: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  outcome: z.enum(['conformant', 'nonconformant', 'incomplete', 'error']),
  interrupted: z.literal(true).exactOptional(),
  seed: z.number(),
  shard: z.object({ index: z.number(), count: z.number(), ids: z.array(z.string()) }).exactOptional(),
  summary: z.record(verdict, z.number()),
  checks: z.array(check),
  observations: z.record(z.string(), z.unknown()),
  exchanges: z.array(exchange),
})

/**
 * Reads a `results.json`.
 * @throws TwotokenError `usage` where it is missing, no JSON, or of another shape
 */
export async function readResults(file: string): Promise<RunResults> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'there is no such file' : (cause.code ?? 'unknown reason')
    throw unreadable(`${file} cannot be read: ${why}`, cause)
  })
  return parseResults(text, file)
}

/** The same of a text; `file` is the name that an error gives it. */
export function parseResults(text: string, file: string): RunResults {
  const parsed = results.safeParse(jsonOf(text, file))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.')
  throw unreadable(`${file} holds no results of a run (${place} is not what it should be)`, parsed.error)
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unreadable(`${file} is not JSON`, cause)
  }
}

function unreadable(what: string, cause: unknown): TwotokenError {
  return new TwotokenError('usage', `${what}; expected the results.json that twotoken run wrote`, cause)
}
