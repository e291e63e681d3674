import { expect, test } from 'vitest'
import { isLocalAddress } from './local-address.ts'

test.each([
  ['127.0.0.1', true],
  ['localhost', true],
  // An address for documentation, which no machine has.
  ['192.0.2.1', false],
  ['engine.invalid', false],
])('%s is of this machine: %s', async (address, isOwn) => {
  expect(await isLocalAddress(address)).toBe(isOwn)
})
