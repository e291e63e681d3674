import { expect, test } from 'vitest'
import { auditFiles, key } from './testing/audit-files.ts'
import { buildZip } from './testing/build-zip.ts'

const megabyte = 1024 * 1024

async function told(files: Readonly<Record<string, Buffer>>): Promise<[location: string, bytes: number][]> {
  const calls: [string, number][] = []
  await auditFiles(files, { onProgress: (location, bytes) => calls.push([location, bytes]) })
  return calls
}

test('says which entry of an archive is read, after each megabyte', async () => {
  const members = Array.from({ length: 12 }, (_, index) => ({
    name: `assets/${index}.txt`,
    bytes: Buffer.alloc(megabyte / 2, `text ${index} `),
    stored: true,
  }))
  const calls = await told({ 'app.apk': buildZip(members) })
  expect(calls).toEqual(
    [2, 4, 6, 8, 10].map((index) => [`dist/app.apk!assets/${index}.txt`, (index * megabyte) / 2]),
  )
})

test('counts small entries that hide nothing as well', async () => {
  const members = Array.from({ length: 200 }, (_, index) => ({
    name: `assets/${index}.bin`,
    bytes: Buffer.alloc(32_768, `\0\x01\x02${index}`),
  }))
  const calls = await told({ 'app.apk': buildZip(members) })
  expect(calls.map(([, bytes]) => bytes)).toEqual([1, 2, 3, 4, 5, 6].map((count) => count * megabyte))
  expect(calls.every(([location]) => location.startsWith('dist/app.apk'))).toBe(true)
})

test('says it while one large file is read in pieces as well, and shows no key in a name', async () => {
  const calls = await told({ [`${key}.bin`]: Buffer.alloc(160 * megabyte) })
  expect(calls.length).toBeGreaterThan(100)
  expect(calls.at(-1)?.[1]).toBe(159 * megabyte)
  expect(new Set(calls.map(([location]) => location))).toEqual(new Set(['dist/ac_live_….bin']))
})
