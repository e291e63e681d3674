import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { TwotokenError } from '../../base/errors.ts'
import { verdicts } from '../../base/verdict.ts'
import type { Night, UnreadFile } from './history.ts'

/** The part of results that a history needs: thousands of files are read, and their exchanges are most of them. */
const night = z.object({
  tool: z.object({ name: z.literal('twotoken'), version: z.string() }),
  target: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  outcome: z.enum(['conformant', 'nonconformant', 'incomplete', 'error']),
  config: z.string().optional(),
  seed: z.number(),
  shard: z.object({ index: z.number(), count: z.number() }).optional(),
  checks: z.array(
    z.object({ id: z.string(), title: z.string(), level: z.string(), verdict: z.enum(verdicts) }),
  ),
})

/** The file itself, or every `results.json` in the folder and the folders in it. */
export async function findResults(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new TwotokenError(
      'usage',
      `${path} does not exist: give a results.json, or a folder that contains some`,
      cause,
    )
  })
  if (!found.isDirectory()) return [path]
  const files = (await readdir(path, { recursive: true })).filter((file) =>
    /(^|[\\/])results\.json$/.test(file),
  )
  if (files.length === 0)
    throw new TwotokenError('usage', `${path} contains no results.json: give the output folders of runs`)
  return files.toSorted().map((file) => join(path, file))
}

/** Reads each run once, one file after the other, so that one is in memory at a time. Files are named from `directory`. */
export async function readNights(
  files: readonly string[],
  directory: string,
): Promise<{ readonly nights: readonly Night[]; readonly unread: readonly UnreadFile[] }> {
  const nights = new Map<string, Night>()
  const unread: UnreadFile[] = []
  for (const path of files) {
    const file = relative(directory, path)
    const text = await readFile(path, 'utf8').catch(() => '')
    const { data } = night.safeParse(parseHead(text))
    if (data === undefined) unread.push({ file, why: 'is not a readable results.json' })
    else if (data.shard !== undefined)
      unread.push({
        file,
        why: `is shard ${data.shard.index}/${data.shard.count} of a run: merge the shards first`,
      })
    else nights.set(JSON.stringify([data.target, data.config, data.startedAt, data.seed]), { ...data, file })
  }
  return { nights: [...nights.values()], unread }
}

const exchanges = '\n  "exchanges": ['

/** Results as twotoken writes them have a line for each field, so that the long list of exchanges need not be parsed. */
function parseHead(text: string): unknown {
  const at = text.indexOf(exchanges)
  const isWhole = text.trimEnd().endsWith('}')
  try {
    return JSON.parse(at === -1 || !isWhole ? text : `${text.slice(0, text.lastIndexOf(',', at))}}`)
  } catch {
    return undefined
  }
}
