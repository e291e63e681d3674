import { defineCheck } from '../../src/requirement/define.ts'
import { type Attack, judgeNoTokenIssued, judgeTypicalStatus, sendAttacks } from './lib/send-attacks.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export default defineCheck({
  id: 'MINT-04',
  role: 'mint',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['2.2'],
  basis: 'The Authorization header with the API key is required (2.2).',
  title: 'rejects requests without an API key',
  why: 'An open mint lets any caller join as any user.',
  how: {
    does: [
      'Between two controls, sends valid requests without an Authorization header, with an empty one, and with the Bearer scheme but no key.',
    ],
    fails: ['A token.'],
    warns: ['A status other than 401 for the missing header.'],
  },
  mints: 2,
  needs: ['mint'],
  async run(parts, judge) {
    const missing = 'no Authorization header'
    const attacks: Attack[] = [
      { name: missing, request: { key: null } },
      { name: 'an empty Authorization header', request: { authorization: '' } },
      { name: 'the Bearer scheme and no key', request: { authorization: 'Bearer' } },
      { name: 'the Bearer scheme and an empty key', request: { authorization: 'Bearer ""' } },
    ]
    await sendAttacks(parts, judge, attacks, (outcomes) => {
      judgeNoTokenIssued(judge, outcomes, { clause: '2.2', fix: 'Check the API key before minting.' })
      const withoutHeader = outcomes.filter(({ name }) => name === missing)
      judgeTypicalStatus(judge, withoutHeader, 401)
    })
  },
  catches: {
    'mints for any request': { mint: { presentedKey: () => '', keyMatches: () => true } },
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
          jsonAnswer({ token: await tools.issueFreely('any-user') }, status),
      },
    },
    'sends a token in a header of the error': {
      mint: {
        refuse: async ({ status }, _, tools) => {
          const answer = jsonAnswer({ error: 'no key' }, status)
          return {
            ...answer,
            headers: { ...answer.headers, 'x-calling-token': await tools.issueFreely('any-user') },
          }
        },
      },
    },
    'answers 500': { mint: { refuse: () => jsonAnswer({ error: 'failed' }, 500) }, as: 'warn' },
    'answers 403': { mint: { refuse: () => jsonAnswer({ error: 'forbidden' }, 403) }, as: 'warn' },
    'answers 200 with an error': { mint: { refuse: () => jsonAnswer({ error: 'no key' }) }, as: 'warn' },
  },
})
