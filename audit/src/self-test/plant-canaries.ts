import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { auditInMemory } from '../engine/audit-in-memory.ts'
import type { Watch } from '../engine/context.ts'
import type { Finding } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import { printable } from '../model/location.ts'
import { unwatched } from '../model/pulse.ts'
import type { AuditSettings } from '../model/settings.ts'
import { createCanaries } from './canary.ts'
import { type SelfTestCell, unplanted } from './cells.ts'
import type { Injector } from './injector.ts'
import { loadInjectors } from './injectors.ts'
import type { FileToPlant } from './list-files.ts'
import { createPlan, type PlantedCanary } from './plan.ts'

/** Largest file in bytes whose copy is held in memory. */
const largest = 1024 * 1024 * 1024

/** Where the canaries come from, what plants them, and who watches. */
export interface Planting {
  readonly nextCanary?: () => ReturnType<ReturnType<typeof createCanaries>>
  readonly injectors?: readonly Injector[] | undefined
  /** Places of files in the list that nothing is planted into. */
  readonly givenUp?: readonly number[]
  /** Is told which file is next. */
  begin?(index: number): void
  /** Is told how many bytes of it are looked at for a place to plant into. */
  visit?(bytes: number): void
  readonly watch?: Watch
}

/** Plants canaries into copies of files in memory, audits the copies with the same settings, and says which were found. */
export async function plantCanaries(
  files: readonly FileToPlant[],
  settings: Omit<AuditSettings, 'onProgress'>,
  {
    nextCanary = createCanaries(settings.prefix ?? defaultPrefix),
    injectors,
    givenUp = [],
    begin = () => {},
    visit = () => {},
    watch = { pulse: () => unwatched },
  }: Planting = {},
): Promise<SelfTestCell[]> {
  const plan = createPlan(nextCanary, injectors ?? (await loadInjectors()), visit)
  const findings = new Map<string, Finding>()
  const cells: SelfTestCell[] = []
  for (const [index, { file, location, size }] of files.entries()) {
    if (givenUp.includes(index)) continue
    begin(index)
    if (size > largest) {
      cells.push(unplanted(location, `larger than ${largest} bytes`))
      continue
    }
    const name = basename(file)
    const bytes = plan.injectInto(location, name, await readFile(file))
    if (bytes === null) continue
    const audited = await auditInMemory({ location, name, bytes }, settings, watch)
    for (const finding of audited.findings)
      if (finding.kind === 'key' && finding.level !== 'note') findings.set(finding.fingerprint, finding)
  }
  return [
    ...plan.canaries().map((canaries) => cellOf(canaries, findings.get(canaries.fingerprint))),
    ...cells,
  ]
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
