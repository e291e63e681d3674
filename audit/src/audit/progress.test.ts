import { expect, test } from 'vitest'
import type { Work } from '../model/progress.ts'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildZip } from '../testing/build-archives.ts'

const megabyte = 1024 * 1024

async function told(files: Readonly<Record<string, Buffer>>): Promise<[location: string, work: Work][]> {
  const calls: [string, Work][] = []
  await auditFiles(files, { onProgress: (location, work) => calls.push([location, work]) })
  return calls
}

test('says which entry of an archive is read, after each megabyte, and how much the archive holds', async () => {
  const members = Array.from({ length: 12 }, (_, index) => ({
    name: `assets/${index}.txt`,
    bytes: Buffer.alloc(megabyte / 2, `text ${index} `),
    stored: true,
  }))
  const archive = buildZip(members)
  const calls = await told({ 'app.apk': archive, 'b.bin': Buffer.alloc(megabyte) })
  expect(calls.map(([location, { bytes }]) => [location, bytes])).toEqual([
    ...[2, 4, 6, 8, 10].map((index) => [`dist/app.apk!assets/${index}.txt`, (index * megabyte) / 2]),
    ['dist/b.bin', 6 * megabyte],
  ])
  for (const [, { knownFiles, knownBytes }] of calls)
    expect({ knownFiles, knownBytes }).toEqual({ knownFiles: 13, knownBytes: 7 * megabyte })
})

test('the known total grows with an archive inside another one, and ends at the total read', async () => {
  const inner = buildZip([{ name: 'a.bin', bytes: Buffer.alloc(4 * megabyte) }])
  const calls = await told({
    'app.apk': buildZip([
      { name: 'inner.zip', bytes: inner, stored: true },
      { name: 'z.bin', bytes: Buffer.alloc(2 * megabyte), stored: true },
    ]),
    'z.bin': Buffer.alloc(megabyte),
  })
  expect(calls.map(([, { bytes, knownBytes }]) => [bytes, knownBytes])).toEqual([
    [4 * megabyte, 7 * megabyte],
    [6 * megabyte, 7 * megabyte],
  ])
})

test('says it while one large file is read in pieces as well, and shows no key in a name', async () => {
  const calls = await told({ [`${key}.bin`]: Buffer.alloc(160 * megabyte) })
  expect(calls.length).toBeGreaterThan(100)
  expect(calls.at(-1)?.[1]).toMatchObject({
    bytes: 159 * megabyte,
    knownBytes: 160 * megabyte,
    knownFiles: 1,
  })
  expect(new Set(calls.map(([location]) => location))).toEqual(new Set(['dist/ac_live_….bin']))
})
