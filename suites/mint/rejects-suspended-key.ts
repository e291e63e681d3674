import { defineCheck } from '../../src/requirement/define.ts'
import { judgeStateKey } from './judge-state-key.ts'
import { jsonAnswer } from './variant-answers.ts'

export default defineCheck({
  id: 'MINT-16',
  role: 'mint',
  level: 'MUST',
  clauses: ['7'],
  title: 'issues nothing for the key of a suspended project',
  why: 'A suspension that does not reach the mint suspends nothing.',
  how: 'Between two ordinary requests, the key at mint.keys.suspended asks for tokens. A token is a failure where the operator vouches for the state (attested), else an unmet precondition; another status than 403 is a warning.',
  mints: 2,
  needs: ['mint', 'suspendedKey'],
  async run(parts, judge) {
    await judgeStateKey(parts, judge, parts.suspendedKey, {
      name: 'of a suspended project',
      setting: 'mint.keys.suspended',
      typicalStatus: 403,
    })
  },
  catches: {
    'still mints': { mint: { admit: () => undefined } },
    'looks at the trial only': {
      mint: {
        admit: ({ state }) => {
          if (state === 'trial-ended') throw new Error('the trial has ended')
        },
      },
    },
    'refuses with a token': {
      mint: {
        refuse: async ({ status }, _, tools) =>
          jsonAnswer({ token: await tools.issueFreely('anybody') }, status),
      },
    },
    'answers 401': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 401) }, as: 'warn' },
    'answers 500': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 500) }, as: 'warn' },
    'never answers': {
      mint: {
        answer: (answer) => (answer.status === 403 ? new Promise(() => undefined) : answer),
      },
      configuration: { limits: { requestSeconds: 1 } },
      as: 'warn',
    },
  },
})
