import { expect, test } from 'vitest'
import { createNearMissKeys, createPunctuatedKeys } from './near-miss-keys.ts'

const decoded = (key: string) => Buffer.from(key.slice('ac_live_'.length), 'base64url').toString('hex')

// A key of 43 characters carries 32 bytes: a decoder ignores two bits of the last one.
test.each([40, 42, 43])('makes no key of %i characters that decodes like the valid one', (length) => {
  for (const last of '07Aafz9_-') {
    const key = `ac_live_${'k3Vt8RcW1nYb6KsD0fGq5JzX4aEuPm2HrL7oSd9TgAxx'.slice(0, length - 1)}${last}`
    const near = createNearMissKeys(key, 'b'.repeat(key.length))
    expect(near.length).toBeGreaterThan(18)
    for (const [name, candidate] of near) {
      expect(candidate, name).not.toBe(key)
      if (candidate.startsWith('ac_live_'))
        expect(decoded(candidate), `${name}, ${last}`).not.toBe(decoded(key))
    }
    const names = near.map(([name]) => name)
    expect(names).toContain('a key that differs in its last character')
    expect(names).toEqual(expect.arrayContaining(['hyphens after the key', 'underscores after the key']))
  }
})

test('tries a key without its last character where no encoder writes keys of that length', () => {
  const key = `ac_live_${'k3Vt8RcW1nYb6KsD0fGq5JzX4aEuPm2HrL7oSd9Tg'}`
  const names = createNearMissKeys(key, 'b'.repeat(key.length)).map(([name]) => name)
  expect(names).toContain('a key without its last character')
})

test('puts a sign that no base64 has behind a key, and within it', () => {
  const key = `ac_live_${'k3Vt8RcW1nYb6KsD'}`
  for (const punctuated of createPunctuatedKeys(key)) {
    expect(punctuated.key.slice(0, -1)).toBe(key)
    expect(decoded(punctuated.within.key)).toBe(decoded(key))
    expect(decoded(punctuated.key)).toBe(decoded(key))
  }
})
