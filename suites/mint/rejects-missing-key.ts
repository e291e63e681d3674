import { defineCheck } from '../../src/requirement/define.ts'
import { type Attack, judgeNoTokenIssued, judgeTypicalStatus, sendAttacks } from './send-attacks.ts'
import { jsonAnswer } from './variant-answers.ts'

export default defineCheck({
  id: 'MINT-04',
  role: 'mint',
  level: 'MUST',
  clauses: ['2.2'],
  title: 'issues nothing without an API key',
  why: 'Whoever can mint can join as anybody: the key is all that stands between the two.',
  how: 'Between two ordinary requests, well-formed ones are sent without an Authorization header, with an empty one, and with the scheme alone. A token is a failure; another status than 401 for the missing header is a warning.',
  mints: 2,
  needs: ['mint'],
  async run(parts, judge) {
    const missing = 'no Authorization header'
    const attacks: Attack[] = [
      { name: missing, request: { key: null } },
      { name: 'an empty Authorization header', request: { authorization: '' } },
      { name: 'the scheme without a key', request: { authorization: 'Bearer' } },
      { name: 'the scheme and an empty key', request: { authorization: 'Bearer ""' } },
    ]
    await sendAttacks(parts, judge, attacks, (outcomes) => {
      judgeNoTokenIssued(judge, outcomes)
      const withoutHeader = outcomes.filter(({ name }) => name === missing)
      judgeTypicalStatus(judge, withoutHeader, 401)
    })
  },
  catches: {
    'mints for anybody': { mint: { presentedKey: () => '', keyMatches: () => true } },
    'mints where the header is missing': {
      mint: {
        presentedKey: ({ headers }) => (headers.authorization ?? '').replace(/^bearer +/i, ''),
        keyMatches: (presented, key) => presented === '' || presented === key,
      },
    },
    'mints for an empty key': {
      mint: {
        presentedKey: ({ headers }) =>
          headers.authorization === undefined ? null : headers.authorization.replace(/^bearer *"*/i, ''),
        keyMatches: (presented, key) => key.endsWith(presented.replace(/"$/, '')),
      },
    },
    'answers the error with a token': {
      mint: {
        refuse: async ({ status }, _, tools) =>
          jsonAnswer({ token: await tools.issueFreely('anybody') }, status),
      },
    },
    'sends a token in a header of the error': {
      mint: {
        refuse: async ({ status }, _, tools) => {
          const answer = jsonAnswer({ error: 'no key' }, status)
          return {
            ...answer,
            headers: { ...answer.headers, 'x-calling-token': await tools.issueFreely('anybody') },
          }
        },
      },
    },
    'answers 500': { mint: { refuse: () => jsonAnswer({ error: 'failed' }, 500) }, as: 'warn' },
    'answers 403': { mint: { refuse: () => jsonAnswer({ error: 'forbidden' }, 403) }, as: 'warn' },
    'answers 200 with an error': { mint: { refuse: () => jsonAnswer({ error: 'no key' }) }, as: 'warn' },
  },
})
