import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildZip } from '../testing/build-zip.ts'
import { expandLz4Block } from './lz4-block.ts'

/** A block with the name of a room, then a key whose prefix is copied from it: its bytes are nowhere in one piece. */
function lz4(filler = 200): { block: Buffer; size: number } {
  const name = Buffer.from('xac_live_roomtitle ')
  const rest = Buffer.from(`${key.slice(8)} ${'.'.repeat(20)}`)
  const block = Buffer.concat([
    Buffer.from([0xf4, name.length - 15]),
    name,
    Buffer.from([name.length - 1, 0]),
    Buffer.from([0xff, rest.length - 15]),
    rest,
    Buffer.from([1, 0, filler - 19]),
    Buffer.from([0x10]),
    Buffer.from('!'),
  ])
  return { block, size: name.length + 8 + rest.length + filler + 1 }
}

function assembly(index: number, { block, size } = lz4()): Buffer {
  const head = Buffer.alloc(12)
  head.write('XALZ')
  head.writeUInt32LE(index, 4)
  head.writeUInt32LE(size, 8)
  return Buffer.concat([head, block])
}

test('expands a block, copies that overlap themselves among it, and no corrupt block', () => {
  const { block, size } = lz4()
  const text = `xac_live_roomtitle ${key} ${'.'.repeat(220)}!`
  // The filler is copied from one byte before it.
  expect(expandLz4Block(block, size)?.toString()).toBe(text)
  expect(expandLz4Block(block, size + 1)).toBeNull()
  expect(expandLz4Block(block.subarray(0, 30), size)).toBeNull()
  expect(expandLz4Block(Buffer.from([0x04, 9, 0, 0x10, 1]), 9)).toBeNull()
})

test.each([
  ['App.dll', assembly(7), 'App.dll'],
  [
    'assemblies.blob',
    Buffer.concat([
      Buffer.from('XABA\x01\0\0\0'),
      assembly(0, { block: Buffer.from([0x10, 65]), size: 1 }),
      assembly(1),
    ]),
    'assembly 1',
  ],
  [
    'libassemblies.arm64-v8a.blob.so',
    Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(100), assembly(3)]),
    'assembly 3',
  ],
])('finds a key in a compressed assembly in %s', async (name, bytes, inner) => {
  const { findings, gaps } = await auditFiles({ [name]: bytes })
  expect(gaps).toEqual([])
  expect(findings).toContainEqual(
    expect.objectContaining({ rule: 'AUD-001', location: `dist/${name}!${inner}`, length: key.length }),
  )
})

test('opens assemblies inside an archive as well', async () => {
  const { findings } = await auditFiles({
    'a.apk': buildZip([{ name: 'assemblies/App.dll', bytes: assembly(7) }]),
  })
  expect(findings).toContainEqual(
    expect.objectContaining({ rule: 'AUD-001', location: 'dist/a.apk!assemblies/App.dll!App.dll' }),
  )
})

test('says that an assembly cannot be opened', async () => {
  const { gaps } = await auditFiles({ 'App.dll': assembly(7).subarray(0, 40) })
  expect(gaps).toMatchObject([{ rule: 'AUD-091', location: 'dist/App.dll!App.dll' }])
})
