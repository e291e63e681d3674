import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readableBody } from './readable-body.ts'

const text = '{"event":"login","session":"sess_0123456789"}'

test.each([
  ['gzip', gzipSync(text), 'gzip'],
  ['gzip that no header names', gzipSync(text), undefined],
  ['zlib that no header names', deflateSync(text), undefined],
  ['Brotli', brotliCompressSync(text), 'br'],
  ['plain text', Buffer.from(text), undefined],
  ['plain text under a wrong header', Buffer.from(text), 'gzip'],
])('%s is read', (_, body, encoding) => {
  expect(readableBody(body, encoding)).toBe(text)
})
