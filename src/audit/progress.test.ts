import { expect, test } from 'vitest'
import { auditFiles, key } from './testing/audit-files.ts'
import { buildZip } from './testing/build-zip.ts'

const megabyte = 1024 * 1024

async function told(files: Readonly<Record<string, Buffer>>): Promise<[location: string, bytes: number][]> {
  const calls: [string, number][] = []
  await auditFiles(files, { onProgress: (location, bytes) => calls.push([location, bytes]) })
  return calls
}

test.each([true, false])(
  'says what of an archive is read, after each megabyte (text: %s)',
  async (isText) => {
    const members = Array.from({ length: 12 }, (_, index) => ({
      name: `assets/${index}.bin`,
      bytes: Buffer.alloc(megabyte / 2, isText ? `text ${index} ` : `\0\x01\x02${index}`),
      stored: true,
    }))
    const calls = await told({ 'app.apk': buildZip(members) })
    expect(calls).toEqual(
      [2, 4, 6, 8, 10].map((index) => [
        isText ? `dist/app.apk!assets/${index}.bin` : 'dist/app.apk',
        (index * megabyte) / 2,
      ]),
    )
  },
)

test('says it while one large file is read in pieces as well, and shows no key in a name', async () => {
  const calls = await told({ [`${key}.bin`]: Buffer.alloc(160 * megabyte) })
  expect(calls.length).toBeGreaterThan(100)
  expect(calls.at(-1)?.[1]).toBe(159 * megabyte)
  expect(new Set(calls.map(([location]) => location))).toEqual(new Set(['dist/ac_live_….bin']))
})
