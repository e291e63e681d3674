import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { auditInMemory } from '../engine/audit-in-memory.ts'
import { AuditError } from '../model/audit-error.ts'
import type { Finding } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import { printable } from '../model/location.ts'
import type { AuditSettings } from '../model/settings.ts'
import { createCanaries } from './canary.ts'
import type { SelfTest, SelfTestCell } from './cells.ts'
import { loadInjectors } from './injectors.ts'
import { createPlan, type PlantedCanary } from './plan.ts'

/** Largest file in bytes whose copy is held in memory. */
const largest = 1024 * 1024 * 1024

/**
 * Plants canaries into copies of files in memory, audits the copies with the same settings, and says which were found. Nothing is written.
 * @throws AuditError `usage` for a path that does not exist
 */
export async function selfTest(
  paths: readonly string[],
  directory: string,
  settings: AuditSettings = {},
  nextCanary = createCanaries(settings.prefix ?? defaultPrefix),
): Promise<SelfTest> {
  const plan = createPlan(nextCanary, await loadInjectors())
  const findings = new Map<string, Finding>()
  const cells: SelfTestCell[] = []
  for (const path of paths)
    for await (const { file, location, size } of filesIn(resolve(directory, path), path)) {
      if (size > largest) {
        cells.push({ ...nowhere(location), reason: `larger than ${largest} bytes` })
        continue
      }
      const copy = plan.injectInto(location, basename(file), await readFile(file))
      if (copy === null) continue
      const audited = await auditInMemory({ location, name: basename(file), bytes: copy }, settings)
      for (const finding of audited.findings)
        if (finding.kind === 'key' && finding.level !== 'note') findings.set(finding.fingerprint, finding)
    }
  return {
    cells: [
      ...plan.canaries().map((canaries) => cellOf(canaries, findings.get(canaries.fingerprint))),
      ...cells,
    ],
  }
}

function nowhere(location: string): Omit<SelfTestCell, 'reason'> {
  return { format: 'file', slot: 'contents', encoding: 'plain', container: [], location, status: 'unplanted' }
}

/** A weaker level than an error is enough only where an error would accuse too much: what an XOR gives may be chance. */
function cellOf(
  { format, slot, encoding, container, location, refused }: PlantedCanary,
  finding: Finding | undefined,
) {
  const place = { format, slot, encoding, container, location: printable(location) }
  if (refused !== undefined) return { ...place, status: 'unplanted' as const, reason: refused }
  if (finding === undefined) return { ...place, status: 'missed' as const }
  const { rule, decoder, level } = finding
  if (level !== 'error' && encoding !== 'single-byte XOR')
    return { ...place, status: 'missed' as const, rule, reason: `found as a ${level} only` }
  return { ...place, status: 'found' as const, rule, decoder }
}

interface FileFound {
  readonly file: string
  readonly location: string
  readonly size: number
}

async function* filesIn(file: string, location: string): AsyncGenerator<FileFound> {
  let found: Awaited<ReturnType<typeof stat>>
  try {
    found = await stat(file)
  } catch (error) {
    throw new AuditError(
      'usage',
      `${printable(location)} cannot be tested: there is no such file or folder`,
      error,
    )
  }
  if (found.isFile()) yield { file, location, size: found.size }
  if (!found.isDirectory()) return
  const entries = await readdir(file, { withFileTypes: true })
  // A link would lead to a file that is there under its own name, or out of the path.
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
    if (!entry.isSymbolicLink()) yield* filesIn(join(file, entry.name), `${location}/${entry.name}`)
}
