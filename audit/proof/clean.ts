import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { auditPaths } from '../src/audit/audit.ts'
import type { Finding } from '../src/model/finding.ts'
import type { Material } from './packages.ts'
import { appFolders } from './real-files.ts'

/** A package without any key in it, audited. */
export interface CleanRun {
  readonly name: string
  /** Bytes and entries that the audit read, archives opened. */
  readonly bytes: number
  readonly entries: number
  readonly milliseconds: number
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
  readonly notes: number
  /** By rule. */
  readonly gaps: Readonly<Record<string, number>>
}

export async function auditClean(material: Material, log: (text: string) => void): Promise<CleanRun[]> {
  const runs: CleanRun[] = []
  for (const [name, folder] of appFolders(material)) {
    log(`auditing ${name}`)
    runs.push(await auditFolder(name, folder))
  }
  return runs
}

async function auditFolder(name: string, folder: string): Promise<CleanRun> {
  const { findings, gaps, audited } = await auditPaths(['.'], folder)
  const of = (level: Finding['level']) => findings.filter((finding) => finding.level === level)
  const byRule = Map.groupBy(
    gaps,
    ({ rule, reason }) => `${rule} ${reason.replace(/\d+/g, 'N').slice(0, 80)}`,
  )
  return {
    name,
    bytes: audited.reduce((sum, { bytes }) => sum + bytes, 0),
    entries: audited.reduce((sum, { entries }) => sum + entries, 0),
    milliseconds: audited.reduce((sum, { durationMs }) => sum + durationMs, 0),
    errors: of('error'),
    warnings: of('warning'),
    notes: of('note').length,
    gaps: Object.fromEntries([...byRule].map(([rule, list]) => [rule, list.length])),
  }
}

const megabyte = 1_000_000

/** How random bytes are written down; of each, so many are made. */
const notations: Readonly<
  Record<string, { readonly bytes: number; readonly write: (noise: Buffer) => string | Buffer }>
> = {
  'bytes.bin': { bytes: 32 * megabyte, write: (noise) => noise },
  'base64.txt': { bytes: 12 * megabyte, write: (noise) => noise.toString('base64') },
  'base64url.json': { bytes: 6 * megabyte, write: (noise) => JSON.stringify(noise.toString('base64url')) },
  'wrapped.pem': {
    bytes: 6 * megabyte,
    write: (noise) => noise.toString('base64').replace(/.{64}/g, '$&\n'),
  },
  'hex.txt': { bytes: 8 * megabyte, write: (noise) => noise.toString('hex') },
  'spaced-hex.txt': { bytes: 4 * megabyte, write: (noise) => noise.toString('hex').replace(/../g, '$& ') },
  'bytes.js': { bytes: 2 * megabyte, write: (noise) => `use([${[...noise]}])` },
  'words.js': { bytes: 2 * megabyte, write: (noise) => `use([${[...wordsOf(noise)]}])` },
  'percent.txt': { bytes: 3 * megabyte, write: (noise) => noise.toString('hex').replace(/../g, '%$&') },
  'wide.bin': { bytes: 8 * megabyte, write: (noise) => Buffer.from(noise.toString('base64'), 'utf16le') },
  'twice.txt': {
    bytes: 4 * megabyte,
    write: (noise) => Buffer.from(noise.toString('base64')).toString('base64'),
  },
  'packed.txt': { bytes: 4 * megabyte, write: (noise) => gzipSync(noise).toString('base64') },
}

/** More than 100 MB in which nothing is hidden, in every notation that the audit decodes. */
export async function auditNoise(
  work: string,
  seed: number,
  log: (text: string) => void,
): Promise<CleanRun[]> {
  const folder = join(work, 'noise')
  const runs: CleanRun[] = []
  for (const [name, { bytes, write }] of Object.entries(notations)) {
    log(`noise in ${name}`)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, name), write(noiseOf(`${seed} ${name}`, bytes)))
    runs.push(await auditFolder(`noise in ${name}`, folder))
    await rm(folder, { recursive: true })
  }
  return runs
}

/** Random bytes of a seed, as an extendable hash gives them. */
function noiseOf(seed: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(seed).digest()
}

function wordsOf(noise: Buffer): Uint32Array {
  return new Uint32Array(noise.buffer.slice(noise.byteOffset, noise.byteOffset + noise.length))
}
