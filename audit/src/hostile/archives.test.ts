import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildAsar } from '../testing/build-asar.ts'
import { buildTar } from '../testing/build-tar.ts'
import { buildZip } from '../testing/build-zip.ts'
import { cpuSeconds } from '../testing/cpu-seconds.ts'

const text = Buffer.from(`k = "${key}"`)
const leak = { rule: 'AUD-001', length: key.length }
const depthGap = { rule: 'AUD-093' }

test('gzip in gzip, and tar in tar, are read as bytes from some depth on', async () => {
  let zipped: Buffer = text
  let packed: Buffer = text
  for (let level = 0; level < 40; level++) {
    zipped = gzipSync(zipped, { level: 0 })
    packed = buildTar({ [`${level}.tar`]: packed })
  }
  const { findings, gaps } = await auditFiles({ 'a.gz': zipped, 'a.tar': packed })
  expect(gaps).toMatchObject([depthGap, depthGap])
  expect(findings).toMatchObject([leak, leak])
})

test('an asar header may nest without end, lie about offsets and sizes, or repeat one file', async () => {
  let files: object = { 'x.js': { offset: '0', size: text.length } }
  for (let level = 0; level < 400; level++) files = { d: { files } }
  const liar = {
    a: { offset: '-400', size: 10 },
    b: { offset: '1e300', size: 10 },
    c: { offset: '0', size: 1e15 },
    d: { offset: 'x', size: -1 },
  }
  const { findings, gaps } = await auditFiles({
    'deep.asar': buildAsar({ files }, text),
    'liar.asar': buildAsar({ files: liar }, text),
    'unreadable.asar': Buffer.from(buildAsar({ files: liar }, text)).fill('}', 17, 18),
  })
  expect(findings).toMatchObject([
    { ...leak, location: 'dist/deep.asar' },
    { ...leak, location: 'dist/liar.asar!c' },
    { ...leak, location: 'dist/unreadable.asar' },
  ])
  expect(gaps).toMatchObject([
    { rule: 'AUD-091', location: 'dist/deep.asar' },
    { rule: 'AUD-091', location: 'dist/liar.asar' },
    { rule: 'AUD-091', location: 'dist/unreadable.asar' },
  ])
})

test('looks behind the end of a tar archive and between its files', async () => {
  const tar = buildTar({ a: Buffer.from('x') })
  const { findings, gaps } = await auditFiles({
    'behind.tar': Buffer.concat([tar, Buffer.alloc(1024), text]),
    'between.tar': Buffer.concat([tar.subarray(0, 600), text, tar.subarray(600 + text.length)]),
    'cut.tar': buildTar({ a: Buffer.concat([text, Buffer.alloc(2000)]) }).subarray(0, 1024),
  })
  expect(findings).toMatchObject([
    { ...leak, location: 'dist/behind.tar' },
    { ...leak, location: 'dist/between.tar' },
    { ...leak, location: 'dist/cut.tar!a' },
  ])
  expect(gaps).toMatchObject([{ rule: 'AUD-091', location: 'dist/cut.tar' }])
})

test('reads a gzip file with something behind it, or cut off, and says so', async () => {
  const zipped = gzipSync(Buffer.concat([text, Buffer.alloc(30_000, 'abc')]))
  const { findings, gaps } = await auditFiles({
    'behind.gz': Buffer.concat([gzipSync(Buffer.from('harmless')), text]),
    'garbage.gz': Buffer.concat([zipped, Buffer.from('garbage')]),
    'cut.gz': zipped.subarray(0, zipped.length - 12),
  })
  expect(findings.map(({ location }) => location)).toEqual([
    'dist/behind.gz',
    'dist/cut.gz!cut',
    'dist/garbage.gz!garbage',
  ])
  expect(gaps.map(({ rule, location }) => `${rule} ${location}`)).toEqual([
    'AUD-091 dist/behind.gz',
    'AUD-091 dist/cut.gz',
    'AUD-091 dist/garbage.gz',
  ])
})

function assembliesWithout(contents: number): Buffer {
  const head = Buffer.from('XALZ____\0\0\0\0')
  head.writeUInt32LE(15_000_000, 8)
  return Buffer.concat([Buffer.from('XABA'), ...Array<Buffer>(contents).fill(head)])
}

/** Files in folders of long names, one in the other: the paths are many times as long as the archive. */
function deepFolders(count: number): Buffer {
  const size = text.length
  let files: object = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${index}`, { offset: '0', size }]),
  )
  for (let depth = 0; depth < 150; depth++) files = { ['d'.repeat(4000)]: { files } }
  return buildAsar({ files }, text)
}

/** Small scripts, each of which costs as much as a script may. */
function costlyScripts(count: number): Buffer {
  const calls = 'use(f(40)+"live_"+q);'.repeat(60)
  return buildZip(
    Array.from({ length: count }, (_, index) => ({
      name: `${index}.js`,
      bytes: Buffer.from(`const f=(n)=>n<2?"ac_":f(n-1)+f(n-2);let q=${index};${calls}`),
    })),
  )
}

test.each<[string, string, () => Buffer]>([
  ['a store of assemblies that contain nothing', 'libassemblies.so', () => assembliesWithout(80_000)],
  ['an archive of deep folders with long names', 'a.asar', () => deepFolders(8000)],
  ['an archive of scripts that cost much', 'a.zip', () => costlyScripts(400)],
])('%s costs no more than it is worth', async (_, name, build) => {
  const files = { [`hostile/${name}`]: build(), 'next.txt': text }
  let result: Awaited<ReturnType<typeof auditFiles>> | undefined
  const cost = await cpuSeconds(async () => {
    result = await auditFiles(files)
  })
  expect(cost).toBeLessThan(12)
  expect(result?.findings).toContainEqual(expect.objectContaining({ ...leak, location: 'dist/next.txt' }))
})
