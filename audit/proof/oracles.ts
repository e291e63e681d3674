import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatOf } from '../src/formats/registry.ts'
import type { Extent } from '../src/search/string-table.ts'
import type { RealFile } from './real-files.ts'
import { ToolFailure } from './tools.ts'

/** One string, as a walker or an oracle sees it. */
export interface OracleString {
  readonly text: string
  /** Only where the oracle tells it. */
  readonly role?: 'value' | 'name'
}

export interface Oracle {
  readonly tool: string
  readonly format: string
  /** Reads a file by the tool. @throws ToolFailure */
  read(file: string, work: string): Promise<readonly OracleString[]>
  /** How the tool prints a text; as it is where absent. */
  readonly prints?: (text: string) => string
  /** Which of the walker's strings the tool prints; default: all. */
  readonly compared?: (extent: Extent) => boolean
  /**
   * `every`: the same strings with the same counts. `set`: the same strings, regardless of counts. `each`: the walker
   * reads at least the tool's strings, because the tool does not print all.
   */
  readonly compare: 'every' | 'set' | 'each'
}

export interface OracleRun {
  readonly tool: string
  readonly format: string
  readonly location: string
  readonly strings: number
  readonly differences: readonly string[]
}

/** Reads each file by the walker and by every oracle of its format, and compares string by string. */
export async function askOracles(
  files: readonly RealFile[],
  oracles: readonly Oracle[],
): Promise<{ runs: OracleRun[]; missing: string[] }> {
  const runs: OracleRun[] = []
  const missing = new Set<string>()
  const work = await mkdtemp(join(tmpdir(), 'twotoken-oracle-'))
  try {
    for (const { format, location, name, bytes } of files)
      for (const oracle of oracles.filter((one) => one.format === format)) {
        const folder = join(work, randomUUID())
        await mkdir(folder)
        const file = join(folder, name)
        await writeFile(file, bytes)
        try {
          const differences = differencesOf(
            oracle,
            walked(oracle, name, bytes),
            await oracle.read(file, folder),
          )
          runs.push({ tool: oracle.tool, format, location, ...differences })
        } catch (error) {
          if (!(error instanceof ToolFailure)) throw error
          missing.add(`${oracle.tool} on ${location}: ${error.message.slice(0, 200)}`)
        }
      }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return { runs, missing: [...missing] }
}

function walked(
  { compared = () => true, prints = (text) => text }: Oracle,
  name: string,
  bytes: Buffer,
): OracleString[] | null {
  const table = formatOf(name, bytes).read?.(bytes)
  if (table === undefined) return null
  return [...table.extents].filter(compared).map(({ start, end, view, role }) => {
    const part = Buffer.from(bytes.subarray(start, end))
    const text =
      view === 'utf-8' ? modifiedUtf8(part) : (view === 'utf-16le' ? part : part.swap16()).toString('utf16le')
    return { text: prints(text), role }
  })
}

function differencesOf(
  { compare }: Oracle,
  ours: readonly OracleString[] | null,
  theirs: readonly OracleString[],
): Pick<OracleRun, 'strings' | 'differences'> {
  if (ours === null) return { strings: 0, differences: ['the audit has no walker for this format'] }
  const left = new Map<string, number>()
  const written = ({ text, role }: OracleString) => `${role ?? ''}\0${text}`
  const bare = theirs.every(({ role }) => role === undefined)
  for (const { text, role } of ours) {
    const key = written({ text, ...(bare || role === undefined ? {} : { role }) })
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  const differences: string[] = []
  for (const one of theirs) {
    const count = left.get(written(one)) ?? 0
    if (!(count > 0 || Number.isNaN(count))) differences.push(`only the tool: ${shown(one)}`)
    else if (compare === 'every') left.set(written(one), count - 1)
    else if (compare === 'set') left.set(written(one), Number.NaN)
  }
  if (compare !== 'each')
    for (const [key, count] of left)
      if (count > 0)
        differences.push(
          `only the audit, ${count} times: ${shown({ text: key.slice(key.indexOf('\0') + 1) })}`,
        )
  return { strings: theirs.length, differences }
}

function shown({ text, role }: OracleString): string {
  return `${role ?? 'string'} ${JSON.stringify(text.slice(0, 60))} (${text.length})`
}

/** MUTF-8 writes a zero as two bytes and each half of a surrogate pair as three; plain UTF-8 reads the same. */
export function modifiedUtf8(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0
    const [size, mask] = lead < 0x80 ? [1, 0x7f] : lead < 0xe0 ? [2, 0x1f] : lead < 0xf0 ? [3, 0xf] : [4, 7]
    let code = lead & mask
    for (let step = 1; step < size; step++) code = (code << 6) | ((bytes[at + step] ?? 0) & 0x3f)
    text += size === 4 ? String.fromCodePoint(code) : String.fromCharCode(code)
    at += size
  }
  return text
}
