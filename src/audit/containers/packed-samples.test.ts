import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditInMemory } from '../audit.ts'
import { key } from '../testing/audit-files.ts'
import { createRandom, faultOf, mutate } from '../testing/fuzz.ts'

const folder = join(import.meta.dirname, 'samples')
const sample = (name: string) => readFile(join(folder, name))

async function audit(name: string, bytes: Buffer) {
  const { findings, gaps } = await auditInMemory({ location: name, name, bytes })
  return {
    places: findings.filter(({ length }) => length === key.length).map(({ location }) => location),
    gaps: gaps.map(({ rule }) => rule),
  }
}

test.each([
  ['copy.7z', 'key.txt'],
  ['copy.7z', 'a name that is longer than fifteen.txt'],
  ['deflate.7z', 'key.txt'],
  ['bzip2.7z', 'key.txt'],
  ['lzma.7z', 'key.txt'],
  ['lzma2.7z', 'key.txt'],
  ['bcj.7z', 'code.bin'],
  ['bcj2.7z', 'code.bin'],
  ['delta.7z', 'key.txt'],
  ['frame.lz4', 'frame'],
  ['legacy.lz4', 'legacy'],
  ['linked.lz4', 'linked'],
  ['key.lz', 'key'],
  ['key.lzma', 'key'],
  ['key.tlz', 'key.tar!key.txt'],
  ['sha256.xz', 'sha256'],
  ['unchecked.xz', 'unchecked'],
  ['x86.xz', 'x86'],
  ['delta.xz', 'delta'],
  ['arm.xz', 'arm'],
  ['armthumb.xz', 'armthumb'],
  ['powerpc.xz', 'powerpc'],
  ['arm64.xz', 'arm64'],
  ['long-names.a', 'key.txt'],
  ['long-names.a', 'a name that is longer than fifteen.txt'],
  ['newc.cpio', 'key.txt'],
  ['crc.cpio', 'key.txt'],
  ['odc.cpio', 'key.txt'],
  ['bin.cpio', 'key.txt'],
  ['xz.deb', 'data.tar.xz!data.tar!./usr/key.txt'],
  ['lzma.rpm', 'payload!payload.expanded!./opt/key.txt'],
])('%s gives up its %s', async (name, inner) => {
  const { places, gaps } = await audit(name, await sample(name))
  expect(places).toContain(`${name}!${inner}`)
  expect(gaps).toEqual([])
})

test.each([
  ['ppmd.7z', 'AUD-092'],
  ['encrypted.7z', 'AUD-090'],
  ['encrypted-names.7z', 'AUD-090'],
  ['sparc.xz', 'AUD-091'],
])('%s, which cannot be opened, is a gap', async (name, rule) => {
  expect(await audit(name, await sample(name))).toEqual({ places: [], gaps: [rule] })
})

test('an LZMA file is recognised without its name', async () => {
  expect((await audit('data', await sample('key.lzma'))).places).toEqual(['data!data.expanded'])
})

/** The last three bytes of these hold neither a key nor a checksum of one. */
const endsLoosely = /\.(?:a|deb|cpio|rpm)$/

test.each((await readdir(folder)).filter((name) => !/\.md$/.test(name)))(
  '%s gives no more than a gap when it is cut off or damaged',
  async (name) => {
    const bytes = await sample(name)
    if (!endsLoosely.test(name)) {
      const cut = await audit(name, bytes.subarray(0, bytes.length - 3))
      expect(cut.gaps).not.toEqual([])
    }
    const random = createRandom(18)
    const faults: string[] = []
    for (let index = 0; index < 25; index++) {
      const fault = await faultOf(name, mutate(bytes, random), key)
      if (fault !== null) faults.push(`mutant ${index}: ${fault}`)
    }
    expect(faults).toEqual([])
  },
)
