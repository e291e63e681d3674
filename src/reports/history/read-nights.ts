import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
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
  const known = new Map<string, Night['checks'][number]>()
  const chunk = Buffer.allocUnsafe(256 * 1024)
  for (const path of files) {
    // A page or a series from Windows names files as one from elsewhere does.
    const file = relative(directory, path).replaceAll(sep, '/')
    const { data } = night.safeParse(await readHead(path, chunk).catch(() => undefined))
    if (data === undefined) unread.push({ file, why: 'is not a readable results.json' })
    else if (data.shard !== undefined)
      unread.push({
        file,
        why: `is shard ${data.shard.index}/${data.shard.count} of a run: merge the shards first`,
      })
    else
      nights.set(JSON.stringify([data.target, data.config, data.startedAt, data.seed]), {
        ...data,
        file,
        checks: data.checks.map((check) => share(check, known)),
      })
  }
  return { nights: [...nights.values()], unread }
}

/** Equal verdicts of a thousand nights are one object. */
function share<T extends object>(value: T, known: Map<string, T>): T {
  const key = JSON.stringify(value)
  const before = known.get(key)
  if (before === undefined) known.set(key, value)
  return before ?? value
}

const exchanges = Buffer.from('\n  "exchanges": [')

/**
 * Results as twotoken writes them have a line for each field: the long list of exchanges is neither read nor parsed.
 * @throws SyntaxError, or an error of the system
 */
async function readHead(path: string, chunk: Buffer): Promise<unknown> {
  await using file = await open(path)
  const head = (await isWhole(file, chunk)) ? await readUpToExchanges(file, chunk) : null
  const text = head ?? (await file.readFile('utf8'))
  return JSON.parse(text)
}

async function isWhole(file: FileHandle, chunk: Buffer): Promise<boolean> {
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(chunk, 0, 16, Math.max(0, size - 16))
  return buffer.toString('latin1', 0, bytesRead).trimEnd().endsWith('}')
}

/** Null where the file has no such line. */
async function readUpToExchanges(file: FileHandle, chunk: Buffer): Promise<string | null> {
  let read = Buffer.alloc(0)
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, read.length)
    if (bytesRead === 0) return null
    const from = Math.max(0, read.length - exchanges.length)
    read = Buffer.concat([read, chunk.subarray(0, bytesRead)])
    const at = read.indexOf(exchanges, from)
    if (at !== -1) return `${read.toString('utf8', 0, read.lastIndexOf(',', at))}}`
  }
}
