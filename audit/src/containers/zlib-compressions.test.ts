import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { gzip, zstd } from './zlib-compressions.ts'

const bound = 1024 * 1024
const long = Buffer.alloc(20_000, 'abcdefg')

test('reads a gzip file of many members up to the place where the last one is cut off', () => {
  const file = Buffer.concat([...Array.from({ length: 50 }, () => gzipSync('one ')), gzipSync(long)])
  const expanded = gzip.expand('a.gz', file.subarray(0, -20), bound)
  expect(expanded?.problem?.kind).toBe('corrupt')
  expect(expanded?.bytes?.toString()).toMatch(/^(?:one ){50}abcdefg/)
})

test('reads the first of several members where another one is corrupt, and says where that one ends', () => {
  const [one, two] = [gzipSync('one '), gzipSync('two ')]
  const corrupt = gzipSync(long)
  corrupt.fill(0xff, 12)
  const expanded = gzip.expand('a.gz', Buffer.concat([one, two, corrupt]), bound)
  expect(expanded).toMatchObject({ consumed: one.length, problem: { kind: 'corrupt' } })
  expect(expanded?.bytes?.toString()).toBe('one ')
})

test.each([
  ['gzip', gzip, Buffer.concat([gzipSync(Buffer.alloc(700)), gzipSync(Buffer.alloc(700))])],
  ['zstd', zstd, Buffer.concat([zstdCompressSync(Buffer.alloc(700)), zstdCompressSync(Buffer.alloc(700))])],
])('%s that becomes more than the bound only with its second part is a gap', (_, format, file) => {
  expect(format.expand('a', file, 1000)).toMatchObject({ bytes: null, problem: { kind: 'limit' } })
})

test('keeps the contents of the first frames where there are too many', () => {
  const frame = zstdCompressSync('a')
  const expanded = zstd.expand('a.zst', Buffer.alloc(frame.length * 100_001, frame), bound)
  expect(expanded?.problem?.kind).toBe('limit')
  expect(expanded?.bytes?.equals(Buffer.alloc(100_000, 'a'))).toBe(true)
})
