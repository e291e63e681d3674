import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildElf, buildFat, buildMachO, protoField, wasmSection } from '../testing/build-binary.ts'

const cstring = 2
const strings = (...texts: readonly string[]) => Buffer.from(`${texts.join('\0')}\0`)
const wide = (text: string, isLittle: boolean) => {
  const bytes = Buffer.from(`${text}\0`, 'utf16le')
  return isLittle ? bytes : bytes.swap16()
}
const sample = (name: string) => readFile(join(import.meta.dirname, 'samples', name))

async function seenIn(name: string, bytes: Buffer | string) {
  const { findings, gaps } = await auditFiles({ [name]: bytes })
  return {
    gaps,
    seen: findings.map(({ rule, format, decoder, length, extent }) =>
      [rule, format, decoder, length, ...(extent === undefined ? [] : [extent])].join(' '),
    ),
  }
}

/** A weak shape in a value is a warning, in a name only a note: it tells the one from the other. */
const weak = 'ac_live_9fK2mPq7'

test.each([true, false])('reads a Mach-O by its sections, little endian: %s', async (isLittle) => {
  const bytes = buildMachO(
    [
      { name: '__cstring', bytes: strings(`prefix${weak}`, weak, key), kind: cstring },
      { name: '__objc_methname', bytes: strings(weak), kind: cstring },
      { name: '__ustring', bytes: wide(key, isLittle) },
    ],
    { isLittle },
  )
  const { gaps, seen } = await seenIn('App', bytes)
  expect(gaps).toEqual([])
  expect(seen.sort()).toEqual([
    'AUD-001 mach-o string-table 39',
    'AUD-002 mach-o string-table 16',
    'AUD-003 mach-o string-table 16',
  ])
  const alone = await seenIn(
    'App',
    buildMachO([{ name: '__ustring', bytes: wide(key, isLittle) }], { isLittle }),
  )
  expect(alone.seen).toEqual(['AUD-001 mach-o string-table 39'])
  const named = await seenIn(
    'App',
    buildMachO([{ name: '__objc_methname', bytes: strings(weak), kind: cstring }]),
  )
  expect(named.seen).toEqual(['AUD-003 mach-o string-table 16'])
})

test('reads every part of a fat Mach-O, and says which part is encrypted for the store', async () => {
  const plain = buildMachO([{ name: '__cstring', bytes: strings('harmless text'), kind: cstring }])
  const leak = buildMachO([{ name: '__cstring', bytes: strings(key), kind: cstring }], { cryptid: 1 })
  const { gaps, seen } = await seenIn('App', buildFat([plain, leak]))
  expect(seen).toEqual(['AUD-001 mach-o-fat string-table 39'])
  expect(gaps).toMatchObject([{ rule: 'AUD-094' }])
  expect((await seenIn('App', buildFat([plain]))).gaps).toEqual([])
})

test('says that the end of a string in native code is uncertain where strings are packed', async () => {
  const packed = await seenIn(
    'lib.so',
    buildElf([{ name: '.rodata', bytes: Buffer.from(`module${key}Some(thing)\0`) }]),
  )
  expect(packed.seen).toEqual(['AUD-001 elf utf-8 43 uncertain'])
  const ended = await seenIn('lib.so', buildElf([{ name: '.rodata', bytes: strings('text', key) }]))
  expect(ended.seen).toEqual(['AUD-001 elf utf-8 39 uncertain'])
  const symbol = await seenIn('lib.so', buildElf([{ name: '.dynstr', bytes: strings('', weak), kind: 3 }]))
  expect(symbol.seen).toEqual(['AUD-003 elf string-table 16'])
})

test('reads WebAssembly: names as names', async () => {
  const head = Buffer.from('\0asm\x01\0\0\0', 'latin1')
  const exported = wasmSection(7, [1, weak.length, weak, 0, 0])
  expect(await seenIn('a.wasm', Buffer.concat([head, exported]))).toEqual({
    gaps: [],
    seen: ['AUD-003 wasm string-table 16'],
  })
})

test('the end of a string in WebAssembly is a guess', async () => {
  const head = Buffer.from('\0asm\x01\0\0\0', 'latin1')
  const extentsIn = async (text: string) => {
    const segment = wasmSection(11, [1, 0, 0x41, 16, 0x0b, text.length, text])
    const { findings } = await auditFiles({ 'a.wasm': Buffer.concat([head, segment]) })
    return findings.map(({ extent }) => extent)
  }
  expect(await extentsIn(`failed: ${key}index out of range`)).toEqual(['uncertain'])
  expect(await extentsIn(`failed: ${key}\0index out of range\0`)).toEqual(['uncertain'])
})

test('reads the constants of a class file, in code and annotations, apart from names', async () => {
  const { gaps, seen } = await seenIn('A.class', await sample('constants.class'))
  expect(gaps).toEqual([])
  expect(seen.sort()).toEqual([
    ...Array.from({ length: 3 }, () => 'AUD-001 class string-table 39'),
    'AUD-003 class string-table 12',
    'AUD-003 class string-table 13',
  ])
})

test.each([
  ['classes.dex', 'dex', ['KEY']],
  ['Canary.class', 'class', ['KEY']],
  ['app.apk', 'binary-xml', ['key', 'key', 'name']],
] as const)('tells the names that values have in %s', async (file, kind, names) => {
  const { findings } = await auditFiles({ [file]: await sample(`../../../proof/samples/${file}`) })
  const told = findings.filter(({ format, level }) => format === kind && level === 'error')
  expect(told.flatMap(({ name }) => name ?? []).sort()).toEqual(names)
})

test('reads the resources and documents of an app bundle', async () => {
  const value = protoField(6, protoField(2, protoField(4, protoField(2, protoField(1, weak)))))
  const named = protoField(
    3,
    Buffer.concat([protoField(2, weak), protoField(6, protoField(2, Buffer.from([8, 1])))]),
  )
  const table = (entry: Buffer) =>
    protoField(2, Buffer.concat([protoField(2, 'com.acme'), protoField(3, entry)]))
  expect(
    (await seenIn('resources.pb', Buffer.concat([protoField(1, 'x'), table(protoField(3, value))]))).seen,
  ).toEqual(['AUD-002 proto-resources string-table 16'])
  expect((await seenIn('resources.pb', Buffer.concat([protoField(1, 'x'), table(named)]))).seen).toEqual([
    'AUD-003 proto-resources string-table 16',
  ])
  const attribute = protoField(
    4,
    Buffer.concat([protoField(2, 'value'), protoField(3, weak), Buffer.from([0x28, 1])]),
  )
  const document = protoField(1, Buffer.concat([protoField(3, 'meta-data'), attribute]))
  expect(
    (await seenIn('AndroidManifest.xml', Buffer.concat([document, Buffer.from([0x10, 0])]))).seen,
  ).toEqual(['AUD-002 proto-xml string-table 16'])
})

test.each([
  ['a.plist', `<?xml version="1.0"?><plist><dict><key>${weak}</key><string>x</string></dict></plist>`],
  ['a.json', `{"${weak}": 1}`],
  ['a.strings', `"${weak}" = "x";`],
  ['a.xml', `<resources><string name="${weak}">x</string></resources>`],
])('takes what %s uses as a name for one', async (name, text) => {
  const { seen } = await seenIn(name, text)
  expect(seen).toEqual([expect.stringMatching(/^AUD-003 \S+ string-table 16$/)])
  const asValue = await seenIn(name, text.replace(weak, 'n').replace(/x(?=[<"])|1(?=})/, `"${weak}"`))
  expect(asValue.seen).toEqual([expect.stringMatching(/^AUD-002 \S+ utf-8 16$/)])
})

test('puts a row of a database together that is spread over its pages', async () => {
  const { gaps, seen } = await seenIn('settings.db', await sample('long-row.db'))
  expect(gaps).toEqual([])
  expect(seen).toEqual(['AUD-001 sqlite utf-8 38'])
})

test.each([
  ['mach-o', buildMachO([{ name: '__cstring', bytes: strings(key), kind: cstring }])],
  ['class', Buffer.concat([Buffer.from('cafebabe00000034ffff01', 'hex'), Buffer.from(`\0${key}`)])],
  ['wasm', Buffer.concat([Buffer.from('\0asm\x01\0\0\0\x0b\x7f', 'latin1'), Buffer.from(`${key}\0`)])],
])('reads a %s whose tables do not hold as raw bytes, and says so', async (name, whole) => {
  const bytes = name === 'mach-o' ? Buffer.from(whole) : whole
  if (name === 'mach-o') bytes.writeUInt32LE(0xffff, 32 + 64)
  const { gaps, seen } = await seenIn('broken', bytes)
  expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
  expect(seen[0]).toContain('AUD-001')
})

test('takes the build file of an addon, which lists its sources, for no source map', async () => {
  const file = `{ "targets": [{ "target_name": "a", "sources": ["a.cc"], "defines": ["KEY=${key}"] }], }`
  expect(await seenIn('binding.gyp', file)).toEqual({ gaps: [], seen: ['AUD-001 json utf-8 39'] })
})
