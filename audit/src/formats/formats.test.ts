import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { fingerprintOf } from '../model/finding.ts'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildElf, buildFat, buildMachO, protoField, wasmSection } from '../testing/build-binary.ts'
import { createRandom, faultOf, mutate } from '../testing/fuzz.ts'

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
      { name: '__cstring', bytes: strings(`prefix${weak}`, weak), kind: cstring },
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

const wasmHead = Buffer.from('\0asm\x01\0\0\0', 'latin1')

test('reads the names of WebAssembly as names', async () => {
  const exported = wasmSection(7, [1, weak.length, weak, 0, 0])
  expect(await seenIn('a.wasm', Buffer.concat([wasmHead, exported]))).toEqual({
    gaps: [],
    seen: ['AUD-003 wasm string-table 16'],
  })
})

test.each([`${key}index out of range`, `${key}\0index out of range\0`])(
  'the end of a string in WebAssembly is a guess: %j',
  async (text) => {
    const segment = wasmSection(11, [1, 0, 0x41, 16, 0x0b, text.length, text])
    const { findings } = await auditFiles({ 'a.wasm': Buffer.concat([wasmHead, segment]) })
    expect(findings).toMatchObject([{ extent: 'uncertain' }])
  },
)

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
  // Compiled by Mono 6.8, with a file that its `ResourceWriter` wrote.
  ['../../src/formats/samples/keys.exe', 'dotnet', ['CallingServerKey', 'ServerKey', 'own']],
  ['app.aab', 'proto-xml', ['key', 'key', 'name']],
  [
    'app.aab',
    'proto-resources',
    'list many s0 s1 s10 s11 s12 s13 s14 s15 s2 s3 s4 s5 s6 s7 s8 s9'.split(' '),
  ],
] as const)('tells the names that values have in %s', async (file, kind, names) => {
  const { findings } = await auditFiles({ [basename(file)]: await sample(`../../../proof/samples/${file}`) })
  const told = findings.filter(({ format, level }) => format === kind && level === 'error')
  expect(told.flatMap(({ name }) => name ?? []).sort()).toEqual(names)
})

test('tells names from values in the resources of an app bundle', async () => {
  const value = protoField(6, protoField(2, protoField(4, protoField(2, protoField(1, weak)))))
  const named = Buffer.concat([protoField(2, weak), protoField(6, protoField(2, Buffer.from([8, 1])))])
  for (const [entry, rule] of [
    [value, 'AUD-002'],
    [named, 'AUD-003'],
  ] as const) {
    const type = Buffer.concat([protoField(2, 'com.acme'), protoField(3, protoField(3, entry))])
    const table = Buffer.concat([protoField(1, 'x'), protoField(2, type)])
    expect((await seenIn('resources.pb', table)).seen).toEqual([`${rule} proto-resources string-table 16`])
  }
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

const brokenMachO = buildMachO([{ name: '__cstring', bytes: strings(key), kind: cstring }])
brokenMachO.writeUInt32LE(0xffff, 32 + 64)
test.each([
  ['App', brokenMachO],
  ['A.class', Buffer.concat([Buffer.from('cafebabe00000034ffff01', 'hex'), Buffer.from(`\0${key}`)])],
  ['a.wasm', Buffer.concat([Buffer.from('\0asm\x01\0\0\0\x0b\x7f', 'latin1'), Buffer.from(`${key}\0`)])],
  ['main.jsbundle', (await sample('../../../proof/samples/v89.hbc')).subarray(0, 900)],
  // The layout of an unknown version is not guessed.
  ['global-metadata.dat', metadata(['a', key], [], 39)],
])('reads a file like %s whose tables do not hold as raw bytes, and says so', async (name, bytes) => {
  const { gaps, seen } = await seenIn(name, bytes)
  expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
  expect(seen.join()).toContain('AUD-001')
})

test('takes the build file of an addon, which lists its sources, for no source map', async () => {
  const file = `{ "targets": [{ "target_name": "a", "sources": ["a.cc"], "defines": ["KEY=${key}"] }], }`
  expect(await seenIn('binding.gyp', file)).toEqual({ gaps: [], seen: ['AUD-001 json utf-8 39'] })
})

type Width = 1 | 2 | 4

/** A file without strings whose code fills an array with these elements. */
function dexWith(width: Width, elements: readonly number[]): Buffer {
  const header = Buffer.alloc(0x70)
  header.write('dex\n035\0', 'latin1')
  const array = Buffer.alloc(8 + Math.ceil((elements.length * width) / 4) * 4)
  array.writeUInt16LE(0x0300, 0)
  array.writeUInt16LE(width, 2)
  array.writeUInt32LE(elements.length, 4)
  for (const [index, element] of elements.entries())
    array.writeUIntLE(element < 0 ? element + 2 ** (8 * width) : element, 8 + index * width, width)
  const bytes = Buffer.concat([header, Buffer.from([0x26, 0, 3, 0, 0, 0, 0x0e, 0]), array])
  bytes.writeUInt32LE(bytes.length, 32)
  return bytes
}

const codes = (text: string, mask = 0) => [...Buffer.from(text)].map((code) => code ^ mask)

test.each<[string, Width, readonly number[], object]>([
  ['2 bytes', 2, codes(key), { level: 'error' }],
  ['4 bytes', 4, codes(key), { level: 'error' }],
  ['a byte under a mask', 1, codes(`${key}\0`, 0x5a), { rule: 'AUD-007', level: 'warning' }],
])('finds a key in an array that code fills, in elements of %s', async (_, width, elements, expected) => {
  const { findings } = await auditFiles({ 'classes.dex': dexWith(width, elements) })
  const found = expect.objectContaining({ ...expected, fingerprint: fingerprintOf(key) })
  expect(findings).toContainEqual(found)
})

/** Literals that follow each other, and names that end in a zero. */
function metadata(literals: readonly string[], names: readonly string[], version = 29): Buffer {
  const head = Buffer.alloc(256)
  const data = Buffer.from(literals.join(''))
  const rows = Buffer.alloc(literals.length * 8)
  let at = 0
  for (const [index, literal] of literals.entries()) {
    rows.writeUInt32LE(literal.length, index * 8)
    rows.writeUInt32LE(at, index * 8 + 4)
    at += literal.length
  }
  const last = Buffer.from(names.map((name) => `${name}\0`).join(''))
  const places = [
    256,
    rows.length,
    256 + rows.length,
    data.length,
    256 + rows.length + data.length,
    last.length,
  ]
  for (const [index, value] of [0xfab11baf, version, ...places].entries())
    head.writeUInt32LE(value, index * 4)
  return Buffer.concat([head, rows, data, last])
}

const neighbours = metadata(
  ['beta_a', 'c_live_7fK2mPq7Rt4Vw8Xy1Zb3', key, 'NextLiteral', 'x'.repeat(90)],
  ['ac_live_badge_count'],
)

test('literals that are packed back to back are read to their exact ends, and names as names', async () => {
  const { findings, gaps } = await auditFiles({ 'global-metadata.dat': neighbours })
  const [first, second] = findings.map(({ rule, length, extent, decoder }) => [rule, length, extent, decoder])
  expect(findings.filter(({ level }) => level === 'error')).toHaveLength(1)
  expect([first, second]).toContainEqual(['AUD-001', key.length, undefined, 'string-table'])
  expect(gaps).toEqual([])
})

test('damaged tables hide nothing', async () => {
  const random = createRandom(18)
  for (let index = 0; index < 60; index++)
    expect(await faultOf('global-metadata.dat', mutate(neighbours, random), key)).toBeNull()
})

const spoken = async (name: string, bytes: Buffer) => {
  const { findings, gaps } = await auditFiles({ [name]: bytes })
  return { keys: findings.filter(({ kind }) => kind === 'key'), gaps }
}

const tornStrings = Buffer.from(`text\0${key}\0more text\0`)

test.each([
  ['Mach-O', buildMachO([{ name: '__cstring', bytes: tornStrings, kind: 2 }]), 32 + 72 + 40],
  ['ELF', buildElf([{ name: '.dynstr', bytes: tornStrings, kind: 3 }]), 64 + tornStrings.length + 32],
] as const)('finds a key whole wherever its section of a %s is cut off', async (_, whole, sizeAt) => {
  expect(whole.readBigUInt64LE(sizeAt)).toBe(BigInt(tornStrings.length))
  for (let cut = 0; cut < tornStrings.length; cut++) {
    const bytes = Buffer.from(whole)
    bytes.writeBigUInt64LE(BigInt(cut), sizeAt)
    const { keys } = await spoken('lib', bytes)
    expect(keys).toMatchObject([{ rule: 'AUD-001', length: key.length }])
  }
})

test('finds a key whole in a UTF-16 section that is cut off, at either byte of a character', async () => {
  const wide = Buffer.from(`${key}\0`, 'utf16le')
  for (let cut = 30; cut < 50; cut++) {
    const bytes = buildMachO([{ name: '__ustring', bytes: wide.subarray(0, cut) }])
    const { keys } = await spoken('App', Buffer.concat([bytes, wide.subarray(cut)]))
    expect(keys).toMatchObject([{ rule: 'AUD-001', length: key.length }])
  }
})

const hermes = await sample('../../../proof/samples/v89.hbc')
const keyAt = hermes.indexOf('ac_live_')

test.each<[string, (more: number) => Buffer]>([
  [
    'begins somewhere else than the rows of long strings say',
    (more) => {
      const bytes = Buffer.from(hermes)
      bytes.writeUInt32LE(hermes.readUInt32LE(56) + more, 56)
      return bytes
    },
  ],
  [
    'other bytes were put into',
    (more) =>
      Buffer.concat([
        hermes.subarray(0, keyAt),
        hermes.subarray(keyAt - more, keyAt),
        hermes.subarray(keyAt),
      ]),
  ],
])('believes no table of strings that %s', async (_, damage) => {
  for (let more = 1; more < 40; more++) {
    const { keys, gaps } = await spoken('main.jsbundle', damage(more))
    expect(keys.length).toBeGreaterThan(0)
    expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
  }
})

test.each(['utf-8', 'utf-16le'] as const)(
  'says that a pool does not hold whose %s lengths lead nowhere',
  async (view) => {
    for (const length of [8, 12, 20, key.length + 3]) {
      const { keys, gaps } = await spoken('resources.arsc', poolOf(view, length))
      expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
      expect(keys).toHaveLength(1)
    }
    const { keys, gaps } = await spoken('resources.arsc', poolOf(view, key.length))
    expect(gaps).toEqual([])
    expect(keys).toMatchObject([{ length: key.length, decoder: 'string-table' }])
  },
)

/** A table of resources with one string, which says of itself that it has so many characters. */
function poolOf(view: 'utf-8' | 'utf-16le', length: number): Buffer {
  const isUtf8 = view === 'utf-8'
  const text = isUtf8
    ? Buffer.concat([Buffer.from([length, length]), Buffer.from(`${key}\0abcd`)])
    : Buffer.concat([Buffer.from([length, 0]), Buffer.from(`${key}\0abcd`, 'utf16le')])
  const pool = Buffer.alloc(32)
  pool.writeUInt32LE(0x001c_0001, 0)
  pool.writeUInt32LE(pool.length + text.length, 4)
  pool.writeUInt32LE(1, 8)
  pool.writeUInt32LE(isUtf8 ? 0x100 : 0, 16)
  pool.writeUInt32LE(pool.length, 20)
  const head = Buffer.alloc(12)
  head.writeUInt32LE(0x000c_0002, 0)
  head.writeUInt32LE(head.length + pool.length + text.length, 4)
  return Buffer.concat([head, pool, text])
}

test('finds each key of an assembly whole, with a name or without, and whatever number of its tables is torn', async () => {
  const whole = await sample('keys.exe')
  const { keys } = await spoken('keys.exe', whole)
  expect(keys.map(({ decoder, length }) => `${decoder} ${length}`)).toEqual(Array(4).fill('string-table 40'))
  for (let at = 128; at + 4 <= whole.length; at += 4) {
    const torn = Buffer.from(whole)
    torn.writeUInt32LE(0xffff_ffff, at)
    expect(await faultOf('keys.exe', torn, 'ac_live_rS7fQ2kWz9XbT4mLd8Vn3Hc6Yp1JgA5e'), String(at)).toBeNull()
  }
})
