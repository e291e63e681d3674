import { expect, test } from 'vitest'
import { createRedactor } from './redact.ts'
import { readSecretLabels, replaceSecretLabels, type ShownKind, writeSecretLabel } from './secret-label.ts'

// Each kind once: one that is missing does not compile.
const kinds = Object.keys({
  'api-key': 0,
  session: 0,
  'calling-jwt': 0,
  'forged-jwt': 0,
  secret: 0,
  jwt: 0,
} satisfies Record<ShownKind, 0>) as ShownKind[]

test.each(kinds)('reads the label of a %s as it is written', (kind) => {
  for (const fingerprint of ['0123abcd', null])
    for (const isEncoded of [false, true]) {
      const text = `before ${writeSecretLabel({ kind, fingerprint }, 48, { isEncoded })} after`
      expect(readSecretLabels(text)).toEqual([{ kind, fingerprint }])
      expect(replaceSecretLabels(text, (_, shown) => `<${shown}>`)).toBe(`before <${kind}> after`)
    }
})

test('reads what the redactor writes, in plain text and encoded', () => {
  const redactor = createRedactor()
  const session = redactor.register('session', 'session-of-alice-1234567890')
  const [plain, encoded] = [session, Buffer.from(session).toString('base64')].map((text) =>
    readSecretLabels(redactor.text(text)),
  )
  expect(plain).toMatchObject([{ kind: 'session', fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) }])
  expect(encoded).toEqual(plain)
})
