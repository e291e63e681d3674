import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { AuditResult, Finding } from '../../../audit/src/api.ts'
import { TwotokenError } from '../../base/errors.ts'

/** One line of the output: the JSON report of one path, with what says whether it is still true. */
const line = z.looseObject({
  /** `null` for a path that does not exist. */
  digest: z.string().nullable(),
  settings: z.string(),
  audited: z.tuple([
    z.looseObject({ path: z.string(), entries: z.number(), bytes: z.number(), durationMs: z.number() }),
  ]),
  findings: z.array(
    z.looseObject({
      rule: z.string(),
      level: z.enum(['error', 'warning', 'note']),
      location: z.string(),
      offset: z.number(),
      fingerprint: z.string(),
    }),
  ),
  gaps: z.array(z.looseObject({ rule: z.string(), location: z.string(), reason: z.string() })),
})

export interface Line extends AuditResult {
  readonly digest: string | null
  readonly settings: string
}

/**
 * Merges lines of `--list` into one result, as `--merge` reports it. The last line of a path counts. A secret is one finding,
 * wherever it was found; its other places are in `also`.
 * @throws TwotokenError `usage`
 */
export async function readFleet(files: readonly string[], directory: string): Promise<AuditResult> {
  const byPath = new Map<string, Line>()
  for (const name of files) {
    const file = resolve(directory, name)
    const text = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new TwotokenError('usage', `${name} cannot be read: give a file that --list has written`, cause)
    })
    for (const one of parseLines(text, name)) byPath.set(one.audited[0]?.path ?? '', one)
  }
  const lines = [...byPath.entries()].toSorted(([left], [right]) => (left < right ? -1 : 1))
  const bySecret = new Map<string, Finding[]>()
  for (const [, { findings }] of lines)
    for (const finding of findings) {
      const key = `${finding.rule} ${finding.fingerprint}`
      bySecret.set(key, [...(bySecret.get(key) ?? []), finding])
    }
  return {
    audited: lines.flatMap(([, { audited }]) => audited),
    findings: [...bySecret.values()].map(mergeFindings),
    gaps: lines.flatMap(([, { gaps }]) => gaps),
  }
}

const levels: readonly Finding['level'][] = ['error', 'warning', 'note']

/** The most serious place of a secret stands for the others. */
function mergeFindings(places: readonly Finding[]): Finding {
  const [first, ...others] = places.toSorted(
    (left, right) => levels.indexOf(left.level) - levels.indexOf(right.level),
  )
  if (first === undefined) throw new TwotokenError('internal', 'a secret without a place')
  return others.length === 0 ? first : { ...first, also: others.map(({ location }) => location) }
}

/** @throws TwotokenError `usage` */
export function parseLines(text: string, name: string): Line[] {
  return text
    .split('\n')
    .filter((one) => one !== '')
    .map((one, index) => {
      const { data } = line.safeParse(parseJson(one))
      if (data !== undefined) return data as unknown as Line
      throw new TwotokenError(
        'usage',
        `line ${index + 1} of ${name} is no result of --list: choose a file that --list has written, or a new one`,
      )
    })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
