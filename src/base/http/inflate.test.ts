import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readSentBody } from './inflate.ts'

const text = JSON.stringify({ event: 'connecting' })
const bytes = Buffer.from(text)

test.each([
  ['plain text', bytes, undefined],
  ['gzip that says so', gzipSync(bytes), 'gzip'],
  ['gzip that does not', gzipSync(bytes), undefined],
  ['zlib that does not', deflateSync(bytes), undefined],
  ['brotli that says so', brotliCompressSync(bytes), 'br'],
  ['plain text that says that it is gzip', bytes, 'gzip'],
])('reads a body of %s', (_, sent, encoding) => {
  expect(readSentBody(sent, encoding)).toBe(text)
})

test('shows what expands without end as it came', () => {
  const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
  expect(readSentBody(bomb, undefined)).toBe(bomb.toString('utf8'))
})
