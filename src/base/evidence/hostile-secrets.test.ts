import { expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const periodic = (characters: number) => 'a1'.repeat(characters / 2)
const sessions = (count: number) =>
  Array.from({ length: count }, (_, index) => `${periodic(40 + 2 * index)}x${index}`)

test.each([
  ['that are alike', sessions(200), periodic(20_000)],
  ['that are alike, and long', sessions(200).map((one) => periodic(4000) + one), periodic(200_000)],
  [
    'of random letters',
    Array.from({ length: 2000 }, () => crypto.randomUUID()),
    'some-words-1 '.repeat(20_000),
  ],
])('many credentials %s are looked for in a large text at little cost', (_, secrets, text) => {
  const redactor = createRedactor()
  for (const secret of secrets) redactor.register('session', secret)
  const before = process.memoryUsage().rss
  expect(redactor.received(`${text} ${secrets[7]}`)).not.toContain(secrets[7])
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576)
})

test('repetitions, words and names that a peer calls a credential are hidden there, and nowhere else', () => {
  const redactor = createRedactor()
  for (const value of [
    'summary',
    'MINT-05',
    periodic(64),
    'a token that has spaces',
    'rejects-invalid-sessions',
  ]) {
    expect(redactor.received(JSON.stringify({ token: value }))).not.toContain(value)
    redactor.learn('calling-jwt', value)
    expect(redactor.text(`saw ${value} there`)).toBe(`saw ${value} there`)
    expect(redactor.field('authorization', `Bearer ${value}`)).toMatch(/^Bearer ‹calling-jwt, \d+ characters/)
  }
})

test('a random credential of a peer is hidden wherever it comes again', () => {
  const redactor = createRedactor()
  for (const value of ['tok_0b1c2d3e4f5a6b7c', crypto.randomUUID(), 'qwhzkvbtrmxnplcdsfghjwqzk'])
    expect(redactor.text(`saw ${redactor.learn('calling-jwt', value)}`)).toMatch(
      /^saw ‹calling-jwt, \d+ characters/,
    )
})

test('a session that is a word stays a word in sentences and in what is printed, but for quotes', () => {
  const redactor = createRedactor()
  redactor.register('session', 'backend')
  expect(redactor.text('x-echo: backend')).toMatch(/^x-echo: ‹session/)
  expect(redactor.sentence('saw the backend answer "no backend here"')).toMatch(
    /^saw the backend answer "no ‹session, 7 characters, #\w+› here"$/,
  )
  expect(redactor.printed('the "backend" passed')).toBe('the "backend" passed')
})

test.each(['session-of-alice-4711', 'a-session-of-some-run', 'hunter2', 'correct horse battery'])(
  'a session that no sentence has by chance is hidden in all of them: %s',
  (session) => {
    const redactor = createRedactor()
    redactor.register('session', session)
    for (const show of [redactor.text, redactor.sentence, redactor.printed, redactor.file])
      expect(show(`it said ${session} once`)).toMatch(/^it said ‹session, \d+ characters, #\w+› once$/)
  },
)

test.each([
  ['before', 0],
  ['after', 1],
])('a key that is a prefix of another is hidden under its own label, registered %s it', (_, first) => {
  const short = 'ac_live_q7Wd0Zk3xTn5Rb8Ym1Lc'
  const long = `${short}Fd4Jx8Sv`
  const redactor = createRedactor()
  const keys = first === 0 ? [short, long] : [long, short]
  for (const key of keys) redactor.register('api-key', key)
  expect(redactor.label(short)).not.toBe(redactor.label(long))
  for (const show of [redactor.text, redactor.sentence, redactor.printed, redactor.file]) {
    expect(show(`one ${short} two`)).toBe(`one ${redactor.label(short)} two`)
    expect(show(`one ${long} two`)).toBe(`one ${redactor.label(long)} two`)
    expect(show(`${long}${short}`)).not.toMatch(/q7Wd|Fd4J|Ym1L/)
    expect(show(`${long.slice(0, -2)}`)).not.toMatch(/q7Wd|Fd4J|Ym1L/)
  }
})
