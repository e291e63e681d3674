import { expect, test } from 'vitest'
import { createRedactor } from './redact.ts'
import { assertNoSecret } from './scan.ts'

const key = 'ac_live_4f9aB27cD1e80GhT55kLmN'

test('an artefact without a secret passes', () => {
  const redactor = createRedactor()
  expect(() => assertNoSecret('report.html', `all ${redactor.text(key)} well`, redactor)).not.toThrow()
})

test.each([
  ['plain', key],
  ['base64', Buffer.from(key).toString('base64')],
  ['registered and opaque', 'sess+opaque/42'],
])('a secret in an artefact (%s) is refused by its line, and not shown', (_, secret) => {
  const redactor = createRedactor()
  redactor.register('session', 'sess+opaque/42')
  let thrown: unknown
  try {
    assertNoSecret('report.html', `first\nsecond ${secret}\n`, redactor)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toMatchObject({ code: 'secret-in-output' })
  expect(String(thrown)).toContain('report.html was not written: line 2')
  expect(String(thrown)).not.toContain(secret)
})
