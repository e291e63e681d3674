import { describe, expect, test } from 'vitest'
import type { BlameTry, ReplaceablePart } from '../../requirement/blame.ts'
import { conclude } from './conclude.ts'

const letters: Readonly<Record<string, ReplaceablePart>> = { m: 'mint', b: 'backend', s: 'signaling' }
const partsIn = (text: string) => [...text].flatMap((letter) => letters[letter] ?? [])

/** Rows such as `mb:pass`; `-` for everything as configured, `?` for what was not possible. */
function tableOf(rows: string): BlameTry[] {
  return rows.split(' ').map((row) => {
    const [replaced = '', verdict = ''] = row.split(':')
    return {
      replaced: partsIn(replaced),
      verdict: verdict === '?' ? null : (verdict as 'pass'),
      detail: null,
    }
  })
}

const failing = '-:fail m:fail b:fail s:fail'

describe.each([
  ['one heals, the others do not', '-:fail m:fail b:pass s:fail', 'part', 'b'],
  ['one heals with a warning', '-:fail m:warn b:fail s:fail', 'part', 'm'],
  ['two heal', '-:fail m:pass b:fail s:pass', 'unknown', 'ms'],
  ['one heals, another was not possible', '-:fail m:? b:pass s:fail', 'unknown', 'b'],
  ['one heals, another was an error', '-:fail m:fail b:pass s:error', 'unknown', 'b'],
  ['one heals, another was untested', '-:fail m:untested b:pass s:fail', 'unknown', 'b'],
  ['one pair heals', `${failing} mbs:pass mb:pass ms:fail bs:fail`, 'parts', 'mb'],
  ['one pair heals, another was not possible', `${failing} mbs:pass mb:pass ms:fail bs:?`, 'unknown', ''],
  ['two pairs heal', `${failing} mbs:pass mb:pass ms:fail bs:pass`, 'unknown', ''],
  ['mint and signaling heal together', `${failing} mbs:pass mb:fail ms:pass bs:fail`, 'unknown', 'ms'],
  ['only all three heal', `${failing} mbs:pass mb:fail ms:fail bs:fail`, 'unknown', ''],
  [
    'a pair heals, a single one was not possible',
    '-:fail m:? b:fail s:fail mbs:pass mb:pass ms:fail bs:fail',
    'unknown',
    '',
  ],
  ['nothing but references fails', `${failing} mbs:fail`, 'none', ''],
  ['nothing but references could not be judged', `${failing} mbs:error`, 'unknown', ''],
  ['it passes again', '-:pass', 'unknown', ''],
  ['it could not be judged again', '-:error', 'unknown', ''],
  ['nothing was judged', '-:?', 'unknown', ''],
])('%s', (_, rows, conclusion, parts) => {
  test(`is ${conclusion} ${parts}`, () => {
    const tries = tableOf(rows)
    const blame = conclude(tries, { concerned: ['mint', 'backend', 'signaling'], acceptsTokens: true })
    expect(blame).toMatchObject({ conclusion, parts: partsIn(parts), tries })
    expect(blame.sentence).toMatch(/^It .+\.$/)
  })
})

test.each([
  ['-:fail m:fail b:pass', 'part', 'b'],
  ['-:fail m:fail b:fail mb:pass', 'parts', 'mb'],
  ['-:fail m:fail b:fail mb:fail', 'none', ''],
])('%s is %s %s where a requirement rests on two parts', (rows, conclusion, parts) => {
  const blame = conclude(tableOf(rows), { concerned: ['mint', 'backend'], acceptsTokens: null })
  expect(blame).toMatchObject({ conclusion, parts: partsIn(parts) })
})

test('signaling is not named while it accepts no token at all', () => {
  const tries = tableOf('-:fail m:fail s:pass')
  const of = (acceptsTokens: boolean) => conclude(tries, { concerned: ['mint', 'signaling'], acceptsTokens })
  expect(of(true)).toMatchObject({ conclusion: 'part', parts: ['signaling'] })
  expect(of(false)).toMatchObject({ conclusion: 'unknown', parts: ['signaling'] })
  expect(of(false).sentence).toContain('signaling accepts no token at all')
})
