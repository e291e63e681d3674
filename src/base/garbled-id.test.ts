import { expect, test } from 'vitest'
import { findGarbling } from './garbled-id.ts'

test.each([
  ['m\ufffdller', 'müller', 'U+FFFD for letters'],
  ['m\ufffd\ufffdller', 'müller', 'U+FFFD for letters'],
  ['\ufffd', 'ü', 'U+FFFD for letters'],
  ['mÃ¼ller', 'müller', 'the UTF-8 bytes of letters, each as one character'],
  ['â‚¬1', '€1', 'the UTF-8 bytes of letters, each as one character'],
  ['m?ller', 'müller', 'question marks for letters'],
  ['ü?', 'ü电', 'question marks for letters'],
  ['??', '\u{1f600}', 'question marks for letters'],
  ['acme%7Cm%c3%bcller', 'acme|müller', 'the percent-encoding of characters'],
  ['ann+b%2B', 'ann b+', 'the percent-encoding of characters'],
])('%j has %j garbled', (minted, wanted, how) => {
  expect(findGarbling(minted, wanted)).toBe(how)
})

test.each([
  ['müller', 'müller'],
  // The file itself may hold text that was read as Latin-1.
  ['müller', 'mÃ¼ller'],
  ['m\ufffdller', 'm\ufffdl'],
  ['mueller', 'müller'],
  ['muller', 'müller'],
  ['u-417', 'u-alice'],
  ['100%', '100'],
  ['100%41', '100%42'],
  ['ann+b', 'ann b'],
])('%j may be the id for which a file has %j', (minted, wanted) => {
  expect(findGarbling(minted, wanted)).toBe(null)
})
