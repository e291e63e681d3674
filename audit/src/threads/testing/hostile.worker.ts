import { parentPort, workerData } from 'node:worker_threads'
import { defaultContainers } from '../../containers/registry.ts'
import type { AuditedFormat } from '../../formats/audited-format.ts'
import { auditedFormats, createFormats } from '../../formats/registry.ts'
import type { ScanContext } from '../../scan/scan-context.ts'
import type { ThreadMemory } from '../orders.ts'
import { readFiles } from '../read-files.ts'
import { type Hostile, markOf } from './hostile-files.ts'

/** Readers with a defect each, which no audit has. */
const defects: Readonly<Record<Hostile, (audit: ScanContext, location: string) => void>> = {
  loop() {
    for (;;);
  },
  native() {
    const bytes = Buffer.alloc(4096, 'h').subarray(1)
    // biome-ignore lint/plugin: never returning is what is tested here
    bytes.includes('https', 0, 'utf16le')
  },
  heap() {
    const kept: object[] = []
    for (;;) kept.push({ at: kept.length })
  },
  buffers() {
    const kept: Buffer[] = []
    for (;;) kept.push(Buffer.alloc(1024 * 1024, kept.length))
  },
  flood({ collector }, location) {
    for (let at = 0; ; at++) collector.gap('opaque', location, `${at}`)
  },
  exit() {
    process.exit()
  },
}

const formats = Object.entries(defects).map(
  ([name, read]): AuditedFormat => ({
    by: 'mark',
    name,
    marks: [markOf(name as Hostile)],
    injectors: async () => [],
    readMore: async (audit, { location }) => read(audit, location),
  }),
)

if (parentPort !== null)
  readFiles(parentPort, workerData as ThreadMemory, {
    containers: defaultContainers,
    formats: createFormats([...auditedFormats, ...formats]),
  })
