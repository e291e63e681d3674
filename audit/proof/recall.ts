import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditPaths } from '../src/audit/audit.ts'
import type { Finding } from '../src/model/finding.ts'
import type { Built, PlantedKey } from './builder.ts'
import type { Packing } from './packings.ts'

/** One planted key in one container: how it was found. */
export interface RecallCell {
  readonly format: string
  readonly file: string
  readonly slot: string
  readonly encoding: string
  readonly packing: string
  readonly isFound: boolean
  /** The result that was seen instead. */
  readonly seen?: string
}

export interface Accusation {
  readonly packing: string
  readonly location: string
  readonly format: string
  readonly decoder: string
  readonly rule: string
  readonly length: number
}

export interface Recall {
  readonly cells: readonly RecallCell[]
  /** Errors that are about no planted key: a decoy, or a key whose extent or text was read wrongly. */
  readonly accusations: readonly Accusation[]
  /** Errors at planted keys that say themselves that the end is uncertain, and have another end than the key. */
  readonly uncertain: readonly Accusation[]
  readonly gaps: readonly string[]
}

/** Audits what one packing makes of the files, as a user would: as a file or a folder on disk. */
export async function recallOf(files: readonly Built[], packing: Packing, work: string): Promise<Recall> {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-recall-'))
  try {
    const packed = await packing.pack(files, join(work, packing.name.replace(/\W+/g, '-')))
    await mkdir(join(folder, 'dist'))
    for (const { name, bytes } of packed) await writeFile(join(folder, 'dist', name), bytes)
    const { findings, gaps } = await auditPaths(['dist'], folder)
    return {
      cells: files.flatMap((file) => file.planted.map((key) => cellOf(file, key, packing.name, findings))),
      ...accusationsIn(files, packing.name, findings),
      gaps: gaps.map(({ rule, location, reason }) => `${packing.name}: ${rule} ${location}: ${reason}`),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same key in a bundle and in its source map is one finding with two places: each of them counts. */
function cellOf(
  { format, name }: Built,
  key: PlantedKey,
  packing: string,
  findings: readonly Finding[],
): RecallCell {
  const { slot, encoding, fingerprint } = key
  const inFile = findings.filter(({ location, also = [] }) =>
    [location, ...also].some((one) => one.includes(name)),
  )
  const found = inFile.find((finding) => finding.fingerprint === fingerprint && finding.kind === 'key')
  const isFound = found?.level === 'error'
  const place = { format, file: name, slot, encoding, packing, isFound }
  if (isFound) return place
  return { ...place, seen: found === undefined ? 'nothing' : `a ${found.level} only (${found.rule})` }
}

function accusationsIn(files: readonly Built[], packing: string, findings: readonly Finding[]) {
  const known = new Set(files.flatMap(({ planted }) => planted.map(({ fingerprint }) => fingerprint)))
  const wrong = findings.filter(({ level, fingerprint }) => level === 'error' && !known.has(fingerprint))
  const { uncertain = [], accusations = [] } = Object.groupBy(wrong, (finding) =>
    isUncertainKey(files, finding) ? 'uncertain' : 'accusations',
  )
  const shown = ({ location, format, decoder, rule, length }: Finding): Accusation => ({
    packing,
    location,
    format,
    decoder,
    rule,
    length,
  })
  return { accusations: accusations.map(shown), uncertain: uncertain.map(shown) }
}

/** A finding with an uncertain end that begins inside the text of a planted key. */
function isUncertainKey(files: readonly Built[], { location, offset, extent }: Finding): boolean {
  if (extent !== 'uncertain') return false
  return files.some(
    ({ name, bytes, planted }) =>
      location.includes(name) &&
      planted.some(({ text }) => {
        const at = bytes.lastIndexOf(Buffer.from(text, 'latin1'), offset)
        return at !== -1 && offset < at + text.length
      }),
  )
}
