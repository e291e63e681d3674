import { expect, test } from 'vitest'
import { createAudit } from '../audit/context.ts'
import { auditBytes } from '../audit/open.ts'
import { defaultContainers } from '../containers/registry.ts'
import { key } from '../testing/audit-files.ts'
import type { AuditedFormat } from './audited-format.ts'
import { auditedFormats, createFormats, defaultFormats } from './registry.ts'

const mark = 0xf1f2_0001
const head = Buffer.alloc(4)
head.writeUInt32BE(mark)

/** One string, packed between other letters: only a length says where it begins and ends. */
const own: AuditedFormat = {
  by: 'mark',
  name: 'packed',
  marks: [mark],
  read(bytes) {
    const start = 8
    const end = start + bytes.readUInt8(5)
    return { extents: [{ start, end, view: 'utf-8', role: 'value' }], regions: [{ start, end }] }
  },
}

function packed(text: string): Buffer {
  return Buffer.concat([head, Buffer.from([0, text.length]), Buffer.from('zz'), Buffer.from(`${text}Zz\0`)])
}

async function findingsIn(bytes: Buffer, formats = createFormats([...auditedFormats, own])) {
  const audit = createAudit({}, { containers: defaultContainers, formats })
  await auditBytes(audit, { location: 'a.bin', name: 'a.bin', bytes, depth: 0 })
  return audit.collector
    .findings()
    .map(({ rule, format, decoder, length }) => `${rule} ${format} ${decoder} ${length}`)
}

test('one more entry is all that another format takes to be read by its table', async () => {
  expect(await findingsIn(packed(key))).toEqual([`AUD-001 packed string-table ${key.length}`])
  expect(await findingsIn(packed(key), defaultFormats)).toEqual([`AUD-001 binary utf-8 ${key.length + 2}`])
})
