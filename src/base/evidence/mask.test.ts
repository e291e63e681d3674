import { expect, test } from 'vitest'
import { writeSize } from '../size-text.ts'
import { createMask, newAllowance } from './mask.ts'
import { disarmLabels } from './secret-label.ts'
import { errorBodies, hiddenInAll } from './testing/error-bodies.ts'
import { invent } from './testing/invent.ts'

const mask = createMask({ fingerprintKey: 'a key' })

test.each(errorBodies)('$server', ({ body, recognised }) => {
  const shown = mask.text(body)
  for (const words of recognised) expect(shown).toContain(words)
  for (const secret of hiddenInAll) expect(shown).not.toContain(secret)
})

test.each([
  ['{"a":[1,true,null,"ok"],"message":"no"}'],
  ['{"token":"‹calling-jwt, 312 characters, #9f8e7d6c›"}'],
  ['text/html; charset=utf-8'],
  ['Wed, 25 Nov 2026 04:49:00 GMT'],
  ['no-store, max-age=0'],
  ['HTTP/1.1 401 Unauthorized'],
  ['timeout=5, max=100'],
  ['CLI-01-1.zip, PACT-BACK-05, MINT-11'],
])('%s is known to be harmless', (text) => {
  expect(mask.text(text)).toBe(text)
})

const secret = 'x7Kp2mQv9LzR4tWb'

test.each([
  ['cut by longer tags', [...secret].map((one) => `<span>${one}</span>`).join('')],
  ['in pieces of eight', secret.replace(/.{8}/g, '$&\n')],
  ['in pieces of four', secret.replace(/.{4}/g, '$& is ')],
  ['in pieces of two', secret.replace(/../g, '$&\n')],
  ['in fields of one letter', JSON.stringify([...secret].map((one) => ({ error: one })))],
  ['in a list', JSON.stringify([...secret])],
  ['as codes in fields', JSON.stringify([...secret].map((one) => ({ code: one.charCodeAt(0) })))],
  ['in a name', `{"${secret}":true}`],
  ['in a style', `<style>${[...secret].join('{}')}</style>`],
  ['as a label', `‹secret, 20 characters, #${secret.slice(0, 8)}›‹${secret}›`],
])('hides what it does not know %s', (_, text) => {
  const shown = mask.text(disarmLabels(text)).replaceAll(/‹[^›]*›/g, '')
  const letters = shown
    .replaceAll(/<\/?(?:b|span|style)>|error|code|secret|characters| is /g, '')
    .replaceAll(/[^A-Za-z0-9]/g, '')
  // A number stands for a character, as its code.
  expect(letters.replaceAll(/\d+/g, '0').length, shown).toBeLessThan(8)
})

test('hides what is random, and shows that it is the same', () => {
  const shown = mask.text(`{"id":"${secret}","again":"${secret}"}`)
  expect(shown).toMatch(/^\{"id":"(‹16 characters #[0-9a-f]{4}›)","again":"\1"\}$/)
  expect(createMask({ fingerprintKey: 'another key' }).text(secret)).not.toBe(mask.text(secret))
})

test('hides a session that is made of words, in its order', () => {
  const knowing = createMask({ fingerprintKey: 'a key', secrets: ['correct-horse-battery-staple'] })
  expect(knowing.text('correct horse battery staple')).not.toMatch(/horse|battery|staple/)
  expect(knowing.text('a correct request')).toBe('a correct request')
})

test('a line of a log in colours keeps its words and its time', () => {
  const line = '\u001b[32m[04:49:00]\u001b[39m \u001b[1;31mERROR\u001b[0m session not found'
  expect(mask.text(line)).toBe('[04:49:00] ERROR session not found')
  expect(mask.text(String.raw`{"log":"\u001b[31mERROR\u001b[0m"}`)).toBe('{"log":"ERROR"}')
})

test('texts that share an allowance are one text', () => {
  const allowance = newAllowance()
  const shown = ['471', '128', '93', 'xy7', '12', 'z'].map((text) => mask.text(text, allowance))
  expect(shown).toEqual(['471', '128', '93', '‹3 characters›', '‹2 characters›', 'z'])
})

test('shows names of the configuration, and what the suite has sent', () => {
  const knowing = createMask({ fingerprintKey: 'a key', names: new Set(['acmecorp', '3f9k2x', 'mnz28q']) })
  expect(knowing.text('acmecorp knows no tt-3f9k2x-07-1-mnz28q')).toBe(
    'acmecorp knows no tt-3f9k2x-07-1-mnz28q',
  )
})

test('a sentence of the suite stays, and what it quotes is masked', () => {
  for (const sentence of [
    'saw 9 requests in 1, 2, 3, 4, 5, 6, 7 s, and then 8 and 9 s',
    'a key in the header (jwk, jku, x5c, x5u)',
  ])
    expect(mask.sentence(sentence)).toBe(sentence)
  expect(mask.sentence(`saw "${secret}"; expected nothing`)).toMatch(
    /^saw "‹16 characters #[0-9a-f]{4}›"; expected nothing$/,
  )
})

test.each([
  ['one long word', (size: number) => 'a'.repeat(size)],
  ['capitals', (size: number) => 'aA'.repeat(size / 2)],
  ['signs', (size: number) => '<>'.repeat(size / 2)],
  ['styles that do not end', (size: number) => '<style>'.repeat(size / 7)],
  ['numbers', (size: number) => '12 '.repeat(size / 3)],
  ['blanks', (size: number) => ' \t'.repeat(size / 2)],
  ['labels that do not end', (size: number) => '‹'.repeat(size)],
  ['backslashes', (size: number) => '\\'.repeat(size)],
])(
  'a text of 1,200,000 characters is masked, where an effort by its square would take longer than any test may: %s',
  (_, textOf) => {
    expect(mask.text(textOf(1_200_000))).toEqual(expect.any(String))
  },
)

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

test('nothing that is shown tells eight characters of a secret, however a peer has encoded it', () => {
  const leaks = Array.from({ length: 400 }, (_, seed) => invent(seed)).filter(({ leak }) => leak !== null)
  expect(leaks).toEqual([])
})
