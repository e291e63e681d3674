import { expect, test } from 'vitest'
import { createSecrets } from '../evidence/secrets.ts'
import { findSecret } from '../find-secret/find-secret.ts'
import { tokensIn } from './decode.ts'

/** A text of about so many characters that is made to be searched slowly. */
const hostile: Readonly<Record<string, (size: number) => string>> = {
  'headers of tokens': (size) => 'ey'.repeat(size / 2),
  'headers of tokens with dots': (size) => 'eyJhIjoxfQ.'.repeat(size / 11),
  dots: (size) => '.'.repeat(size),
  'letters and dots': (size) => 'aaaa.'.repeat(size / 5),
  'one long word': (size) => 'A'.repeat(size),
  'prefixes of keys': (size) => 'ac_live_'.repeat(size / 8),
  keys: (size) => 'ac_live_0123456789 '.repeat(size / 19),
  quotes: (size) => '"'.repeat(size),
  'escaped quotes': (size) => '\\"'.repeat(size / 2),
  apostrophes: (size) => " '".repeat(size / 2),
  backslashes: (size) => '\\'.repeat(size),
  'percent signs': (size) => '%25'.repeat(size / 3),
  ampersands: (size) => '&amp;'.repeat(size / 5),
  'open brackets': (size) => '['.repeat(size),
  'names without values': (size) => '"token":'.repeat(size / 8),
  values: (size) => '"token":"0123456789abcdefg",'.repeat(size / 28),
  pairs: (size) => 'token=a1&'.repeat(size / 9),
  spaces: (size) => ' '.repeat(size),
  'line ends': (size) => 'abcdefgh\n'.repeat(size / 9),
  hexadecimal: (size) => '61'.repeat(size / 2),
  'hexadecimal with colons': (size) => '61:'.repeat(size / 3),
  codes: (size) => '97,'.repeat(size / 3),
  'short words': (size) => 'YWJj '.repeat(size / 5),
  'base64 of base64': (size) => Buffer.from('YWJj'.repeat(size / 6)).toString('base64'),
  'addresses with users': (size) => '://a:'.repeat(size / 5),
  'characters that are not printed': (size) => 'a\0'.repeat(size / 2),
  'header lines': (size) => 'cookie: \n'.repeat(size / 9),
}

const session = 'sess-9f8e7d6c5b4a39281706'
/** Read in seconds where the cost is in proportion; by its square it would be a quarter of an hour. */
const characters = 1_048_576

test.each(Object.keys(hostile))('a secret behind %s is found and hidden', (name) => {
  const text = `${(hostile[name] ?? String)(characters)} ${session}`
  const secrets = createSecrets()
  secrets.register('session', session)
  expect(secrets.text(text)).not.toContain(session)
  expect(findSecret(text, session)).not.toBeNull()
  expect(tokensIn(`${text} eyJhIjoxfQ.eyJhIjoxfQ.aaaa`).length).toBeGreaterThan(0)
})
