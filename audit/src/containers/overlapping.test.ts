import { expect, test } from 'vitest'
import { auditFiles, placesOf } from '../testing/audit-files.ts'
import { buildAsar } from '../testing/build-asar.ts'

const key = 'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6Dq5Lh0Js'

function asarOf(count: number, bytes: Buffer): Buffer {
  const file = { offset: '0', size: bytes.length }
  const files = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.js`, file]))
  return buildAsar({ files }, bytes)
}

test('reads equal files that share their bytes', async () => {
  const { findings, gaps } = await auditFiles({ 'a.asar': asarOf(50, Buffer.from(`k = "${key}"`)) })
  expect(placesOf(findings)).toHaveLength(50)
  expect(gaps).toEqual([])
})

test('a list of more files than can be held is a gap, and not a file that is cut off', async () => {
  const list = Object.fromEntries(Array.from({ length: 400_000 }, (_, index) => [`${index}`, { a: 0, b: 0 }]))
  const { findings, gaps } = await auditFiles({ 'a.asar': buildAsar({ files: list }, Buffer.from(key)) })
  expect(findings).toMatchObject([{ location: 'dist/a.asar' }])
  expect(gaps.map(({ reason }) => reason)).toContain('the list of the files is longer than the limits allow')
})
