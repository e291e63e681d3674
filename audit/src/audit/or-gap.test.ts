import { expect, test } from 'vitest'
import type { ContainerFormat } from '../containers/container-format.ts'
import { createContainers, defaultContainers } from '../containers/registry.ts'
import { zip } from '../containers/zip.ts'
import type { AuditedFormat } from '../formats/audited-format.ts'
import { auditedFormats, createFormats } from '../formats/registry.ts'
import { key } from '../testing/audit-files.ts'
import { buildZip } from '../testing/build-archives.ts'
import { createAudit } from './context.ts'
import { auditBytes } from './open.ts'
import { orGap } from './or-gap.ts'

const mark = 0xf1f2_0002
const head = Buffer.alloc(4)
head.writeUInt32BE(mark)
const secret = 'what the file says'
const file = Buffer.concat([head, Buffer.from(` "${key}" \0`)])

const failing = (readers: Partial<AuditedFormat>) =>
  createFormats([
    ...auditedFormats,
    { by: 'mark', name: 'failing', marks: [mark], ...readers } as AuditedFormat,
  ])

function defect(): never {
  throw new TypeError(secret)
}

function overflow(): never {
  return overflow()
}

async function auditedWith(settings: Partial<Parameters<typeof createAudit>[1]>) {
  const audit = createAudit(
    {},
    { containers: defaultContainers, formats: createFormats(auditedFormats), ...settings },
  )
  audit.spent.allowed = 1_000_000
  const archive = buildZip([
    { name: 'a', bytes: file },
    { name: 'b', bytes: Buffer.from(` ${key} `) },
  ])
  await auditBytes(audit, { location: 'a.zip', name: 'a.zip', bytes: archive, depth: 0 })
  return {
    findings: audit.collector.findings().map(({ location, length }) => `${location} ${length}`),
    gaps: audit.collector.gaps().map(({ rule, location, reason }) => `${rule} ${location}: ${reason}`),
  }
}

const both = [`a.zip!a ${key.length}`, `a.zip!b ${key.length}`]

const failedBy = (error: string) => `AUD-096 a.zip!a: not read whole: its reader failed (${error})`

test.each<[string, Partial<AuditedFormat>, string]>([
  ['a defect of what is read first', { inspect: defect }, failedBy('TypeError')],
  ['a defect of its table', { read: defect }, failedBy('TypeError')],
  ['a defect of what is read last', { readMore: defect }, failedBy('TypeError')],
  ['a rejection', { readMore: async () => defect() }, failedBy('TypeError')],
  ['an overflow of the stack', { inspect: overflow }, failedBy('RangeError')],
  [
    'an overflow of its table',
    { read: overflow },
    'AUD-096 a.zip!a: read as raw bytes: its failing tables do not parse',
  ],
])('%s is a gap of that file, and hides nothing in it or beside it', async (_, readers, gap) => {
  expect(await auditedWith({ formats: failing(readers) })).toEqual({ findings: both, gaps: [gap] })
})

test('a defect of a reader of containers is one as well', async () => {
  const broken: ContainerFormat = {
    opens: 'contents',
    name: 'broken',
    begins: [head],
    expand: defect,
    openLarge: () => null,
  }
  const containers = createContainers([broken, zip])
  const { findings, gaps } = await auditedWith({ containers })
  expect(findings).toEqual(both)
  expect(gaps).toEqual([failedBy('TypeError')])
})

test('leaves an error of the system to the file on disk', async () => {
  const { collector } = createAudit({})
  const error = Object.assign(new Error('EIO'), { syscall: 'read' })
  await expect(orGap({ collector }, 'a', () => Promise.reject(error))).rejects.toBe(error)
  expect(collector.gaps()).toEqual([])
})
