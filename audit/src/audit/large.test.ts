import { expect, test } from 'vitest'
import { auditFiles, key, placesOf } from '../testing/audit-files.ts'
import { buildZip, type ZipFile } from '../testing/build-archives.ts'
import { buildElf, buildMachO } from '../testing/build-binary.ts'

/** Binary filler that compresses, with something at its end. */
function binary(size: number, seed: number, end = ''): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at++) bytes[at] = (at * seed) ^ (at >> 7)
  return Buffer.concat([bytes, Buffer.from(`\0${end}\0`)])
}

const many = Array.from({ length: 3000 }, (_, index) => ({
  name: `res/${index}.bin`,
  bytes: binary(1500, index, index % 500 === 250 ? `${key}${index}` : ''),
}))
const large = { name: 'classes.dat', bytes: binary(3_000_000, 5, `${key}dex`) }
const stored = { name: 'stored.bin', bytes: binary(2000, 6, `${key}stored`), stored: true }
const script = { name: 'app.js', bytes: Buffer.from(`call("ac_" + ${JSON.stringify(key.slice(3))})`) }
const nested = { name: 'inner.zip', bytes: buildZip(many.slice(0, 600)), stored: true }

async function found(files: readonly ZipFile[]) {
  const { findings, gaps, audited } = await auditFiles({ 'app.apk': buildZip(files) })
  return {
    entries: audited[0]?.entries,
    places: placesOf(findings),
    gaps: gaps.map(({ rule, location }) => `${rule} ${location}`),
  }
}

const places = ['res/250.bin', 'res/750.bin', 'res/1250.bin', 'res/1750.bin', 'res/2250.bin', 'res/2750.bin']

test('reads each of many entries in an archive, however it is inflated', async () => {
  const inside = [...places, 'classes.dat', 'stored.bin', 'app.js', 'inner.zip!res/250.bin']
  expect(await found([...many.slice(0, 1500), large, stored, script, nested, ...many.slice(1500)])).toEqual({
    entries: many.length + 3 + 600,
    places: inside.map((place) => `dist/app.apk!${place}`).sort(),
    gaps: [],
  })
})

test('a damaged entry is a gap at its own place, and hides nothing beside it', async () => {
  const damaged = many.map((file, index) => (index % 500 === 251 ? { ...file, crc: 1 } : file))
  const { places: seen, gaps } = await found(damaged)
  expect(seen).toEqual(places.map((place) => `dist/app.apk!${place}`).sort())
  expect(gaps.toSorted()).toEqual(
    [251, 751, 1251, 1751, 2251, 2751].map((index) => `AUD-091 dist/app.apk!res/${index}.bin`).sort(),
  )
})

const limits = { wholeBytes: 64 * 1024 }
const filler = `${'other text\0'.repeat(1000)}`
/** A program over the limit with a text somewhere in it. */
const program = (text: string) =>
  buildElf([
    {
      name: '.rodata',
      bytes: Buffer.concat([Buffer.from(filler.repeat(20)), Buffer.from(text), Buffer.from(filler)]),
    },
  ])
const audited = (text: string) => auditFiles({ program: program(text) }, { limits })

test('a program too large to be read whole is no gap', async () => {
  const { findings, gaps } = await audited('\0live\0%s_%s_\0aac_latm\0')
  expect([findings, gaps]).toEqual([[], []])
})

test.each([
  ['a clean one', 0, []],
  ['an encrypted one', 1, ['AUD-093']],
])(
  'a large Mach-O is a gap where its headers tell that it is encrypted: %s',
  async (_, cryptid, expected) => {
    const macho = buildMachO([{ name: '__cstring', bytes: Buffer.from(filler.repeat(20)) }], { cryptid })
    const { findings, gaps } = await auditFiles({ program: macho }, { limits })
    expect([findings, gaps.map(({ rule }) => rule)]).toEqual([[], expected])
  },
)

test('a program is held whole where something is found in it: the extent is by its own table', async () => {
  const strings = Buffer.from(`${`${'_ZN5other'.repeat(20)}\0`.repeat(100_000)}${key}_tail\0more\0`)
  const { findings, gaps } = await auditFiles({
    program: buildElf([{ name: '.strtab', bytes: strings, kind: 3 }]),
  })
  expect(findings.map(({ decoder, length }) => [decoder, length])).toEqual([
    ['string-table', key.length + '_tail'.length],
  ])
  expect(gaps).toEqual([])
})

test('a store of assemblies too large to be opened is a gap', async () => {
  const { gaps } = await auditFiles({ 'libassemblies.so': program('') }, { limits })
  expect(gaps.map(({ rule }) => rule)).toEqual(['AUD-093'])
})
