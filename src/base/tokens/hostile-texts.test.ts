import { expect, test } from 'vitest'
import { findSecret } from '../evidence/find-secret.ts'
import { createRedactor } from '../evidence/redact.ts'
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

/** Milliseconds of this process, which other busy processes do not add to. */
function cpuOf(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const session = 'sess-9f8e7d6c5b4a39281706'

function search(text: string): void {
  const redactor = createRedactor()
  redactor.register('session', session)
  redactor.text(text)
  redactor.received(text)
  tokensIn(text)
  findSecret(text, session)
}

test.each(Object.keys(hostile))('%s take time in proportion to their length', (name) => {
  const text = hostile[name] ?? String
  search(text(16_384))
  const single = cpuOf(() => search(text(65_536)))
  const fourfold = cpuOf(() => search(text(262_144)))
  // Four times in proportion, sixteen where it is quadratic; what is collected meanwhile counts, too.
  expect(fourfold).toBeLessThan(9 * single + 150)
})

test.each(Object.keys(hostile))('the redactor reads no more of %s than is recorded', (name) => {
  const text = hostile[name] ?? String
  const redactor = createRedactor()
  redactor.received(text(1_048_576), 4096)
  const short = cpuOf(() => redactor.received(text(32_768), 4096))
  const whole = text(16_777_216)
  expect(cpuOf(() => redactor.received(whole, 4096))).toBeLessThan(4 * short + 100)
})
