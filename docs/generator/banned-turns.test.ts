import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { bannedTurns, bannedTurnsIn } from './banned-turns.ts'

const mostWords = 10
const catalogue = await loadCatalogue()

/** Lists the faults of a title that completes "the mint …". */
function faultsOf({ title, level }: { readonly title: string; readonly level: string }): string[] {
  const records = title.startsWith('records ')
  return [
    ...(title.split(/\s+/).length > mostWords ? [`more than ${mostWords} words`] : []),
    ...(/^(?:never )?[a-z]+s\b/.test(title) ? [] : ['no verb in the present tense at its start']),
    ...(level === 'INFO' && !records ? ['INFO without "records"'] : []),
    ...(level !== 'INFO' && records ? ['"records" without INFO'] : []),
    ...(/[.!]$/.test(title) ? ['a full stop'] : []),
  ]
}

describe('the texts of the requirements', () => {
  test.each(catalogue.map(({ id, title, why, how }) => ({ id, title, why, how })))(
    '$id contains no banned turn',
    ({ title, why, how }) => {
      expect([title, why, ...Object.values(how).flat()].flatMap(bannedTurnsIn)).toEqual([])
    },
  )

  test.each(catalogue.map(({ id, title, level }) => ({ id, title, level })))(
    '$id has a title in the form of all titles',
    (check) => expect(faultsOf(check)).toEqual([]),
  )

  test.each(catalogue.map(({ id, catches }) => ({ id, names: Object.keys(catches) })))(
    '$id names its broken variants without a banned turn',
    ({ names }) => expect(names.flatMap(bannedTurnsIn)).toEqual([]),
  )

  test('no two requirements of a role share a title', () => {
    const titles = catalogue.map(({ role, title }) => `${role} ${title}`)
    expect(new Set(titles).size).toBe(titles.length)
  })
})

describe('the checks are red', () => {
  test.each([
    ['is seen to treat an idle stranger in some way', 4],
    ['lets nobody in without a session that holds', 3],
    ['keeps each secret on its own way', 1],
    ['rejects an expired calling token', 0],
    ['lets a signed-in user connect end to end', 0],
  ])('on "%s": %i turns', (text, count) => {
    expect(bannedTurnsIn(text)).toHaveLength(count)
  })

  test('a banned turn comes with a better one', () => {
    expect(bannedTurnsIn('Whoever reads it')).toEqual(['"Whoever": write any party that …'])
  })

  test('no better turn is banned itself', () => {
    expect(bannedTurns.flatMap(({ instead }) => bannedTurnsIn(instead))).toEqual([])
  })

  test.each([
    ['INFO', 'is given a token'],
    ['MUST', 'records the token'],
    ['MUST', 'An expired token'],
    ['MUST', 'puts each of the many words of this title into one and the same line'],
  ])('on a title of level %s: %s', (level, title) => {
    expect(faultsOf({ level, title })).not.toEqual([])
  })
})
