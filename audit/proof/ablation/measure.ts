import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { containerFormats, createContainers } from '../../src/containers/registry.ts'
import { auditOnDisk, createReader } from '../../src/engine/audit-on-disk.ts'
import { createAudit } from '../../src/engine/context.ts'
import { auditedFormats, createFormats } from '../../src/formats/registry.ts'
import { createSearcher } from '../../src/scan/create-searcher.ts'
import { needlesFor } from '../../src/scan/needles.ts'
import type { Off } from './pieces.ts'

export interface Measured {
  /** Place and fingerprint of each finding that is no note. */
  readonly found: readonly string[]
  /** CPU time, all threads together. */
  readonly cpuMs: number
  readonly wallMs: number
}

/** Audits every file below a folder in this process, without one piece. */
export async function measure(folder: string, off: Off | null): Promise<Measured> {
  const left = <Named extends { readonly name: string }>(all: readonly Named[], name: string | null) =>
    all.filter((one) => one.name !== name)
  const audit = createAudit(
    { mintHost: 'api.acme.example' },
    {
      containers: createContainers(
        left(containerFormats, off !== null && 'container' in off ? off.container : null),
      ),
      formats: createFormats(left(auditedFormats, off !== null && 'format' in off ? off.format : null)),
    },
  )
  const searching = { ...audit, searcher: searcherWithout(off, audit.prefix) }
  const reader = createReader()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const [cpu, wall] = [process.cpuUsage(), performance.now()]
  for (const { name, parentPath } of files) {
    const path = join(parentPath, name)
    await auditOnDisk(searching, { path, name, location: path.slice(folder.length + 1) }, { reader })
  }
  const { user, system } = process.cpuUsage(cpu)
  const wallMs = performance.now() - wall
  const found = audit.collector.findings().filter(({ level }) => level !== 'note')
  return {
    found: found.map(({ location, fingerprint, kind }) => `${location.split('!')[0]} ${kind} ${fingerprint}`),
    cpuMs: (user + system) / 1000,
    wallMs,
  }
}

function searcherWithout(off: Off | null, prefix: string) {
  const needles = needlesFor(prefix).filter(
    ({ form, view }) =>
      off === null || !(('form' in off && off.form === form) || ('view' in off && off.view === view)),
  )
  const searcher = createSearcher(needles, prefix)
  if (off === null || !('form' in off) || !['xor', 'escaped'].includes(off.form)) return searcher
  const nothing = () => {}
  return {
    search: (bytes: Buffer, hits: Parameters<typeof searcher.search>[1]) =>
      searcher.search(bytes, off.form === 'xor' ? { ...hits, xored: nothing } : { ...hits, escape: nothing }),
  }
}
