import { expect, test } from 'vitest'
import { defaultContainers } from '../containers/registry.ts'
import { auditBytes } from '../engine/audit-bytes.ts'
import { createAudit } from '../engine/context.ts'
import { createCanaries } from '../self-test/canary.ts'
import { plain } from '../self-test/encodings.ts'
import { loadInjectors } from '../self-test/injectors.ts'
import { createPlan } from '../self-test/plan.ts'
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
  injectors: async () => [
    {
      format: 'packed',
      by: 'mark',
      recognises: (_, bytes) => bytes.subarray(0, head.length).equals(head),
      slots: [{ slot: 'string', encodings: [plain] }],
      inject: (_, [wish]) => ({ bytes: packed(wish?.key ?? ''), refused: new Map() }),
    },
  ],
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

test('the same entry is all that a self-test takes to put canaries into it', async () => {
  const plan = createPlan(createCanaries('ac_live_'), await loadInjectors([...auditedFormats, own]))
  const copy = plan.injectInto('a.bin', 'a.bin', packed('some other text')) ?? Buffer.alloc(0)
  expect(plan.canaries()).toMatchObject([{ format: 'packed', slot: 'string' }])
  expect(await findingsIn(copy)).toEqual([expect.stringMatching(/^AUD-001 packed string-table/)])
})

test('the surest injectors are asked first, in the order of the formats', async () => {
  const injectors = await loadInjectors()
  expect(injectors.map(({ format }) => format)).toEqual([
    'dex',
    'hermes',
    'arsc',
    'binary-xml',
    'binary-plist',
    'mach-o',
    'class',
    'elf',
    'wasm',
    'sqlite',
    'il2cpp-metadata',
    'protobuf resources',
    'protobuf XML',
    'UTF-16 text',
    'env',
    'source-map',
    'javascript',
    'html',
    'strings',
    'plist',
    'xml',
    'json',
    'text',
    'binary',
  ])
})
