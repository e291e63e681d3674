import { expect, test } from 'vitest'
import { offersOldVersion } from './offers-old-version.ts'

test.each([
  ['at once', 10, 10, 'TLSv1.1'],
  ['late, where a usual one is late, too', 9_000, 3_000, 'TLSv1.1'],
  ['never, where a usual one is fast', Number.POSITIVE_INFINITY, 10, null],
  ['never, where a usual one takes seconds', Number.POSITIVE_INFINITY, 3_000, null],
  ['never, nor a usual one', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, undefined],
] as const)('a handshake of an old version that ends %s', async (_, oldMs, usualMs, version) => {
  const shake = async ({ isOld, deadlineMs }: { readonly isOld: boolean; readonly deadlineMs: number }) => {
    const ms = isOld ? oldMs : usualMs
    const isSilent = ms > deadlineMs
    return { version: isSilent ? null : 'TLSv1.1', tookMs: Math.min(ms, deadlineMs), isSilent }
  }
  expect(await offersOldVersion('127.0.0.1', 443, shake)).toBe(version)
})
