import { expect, test } from 'vitest'
import { writeSize } from '../../size-text.ts'
import { createMask } from './mask.ts'

const mask = createMask({ fingerprintKey: 'a key' })

test.each([
  [512, '512 bytes'],
  [65_536, '64 KB'],
  [1_048_576, '1 MB'],
  [2_500_000, '2.38 MB'],
  [1_073_741_824, '1024 MB'],
])('%i bytes are %s, which evidence shows', (bytes, size) => {
  expect(writeSize(bytes)).toBe(size)
  const sentence = `the mint sent a body of more than ${size}`
  expect(mask.sentence(sentence)).toBe(sentence)
})
