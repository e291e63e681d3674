import { expect, test } from 'vitest'
import { isOwnAddress } from './own-address.ts'

test.each([
  ['127.0.0.1', true],
  ['localhost', true],
  // An address for documentation: nobody has it.
  ['192.0.2.1', false],
  ['engine.invalid', false],
])('%s is of this machine: %s', async (address, isOwn) => {
  expect(await isOwnAddress(address)).toBe(isOwn)
})
