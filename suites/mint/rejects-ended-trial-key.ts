import { defineCheck } from '../../src/requirement/define.ts'
import { judgeStateKey } from './judge-state-key.ts'
import { jsonAnswer } from './variant-answers.ts'

export default defineCheck({
  id: 'MINT-15',
  role: 'mint',
  level: 'MUST',
  clauses: ['7'],
  title: 'issues nothing for the key of a trial that has ended',
  why: 'The end of a trial is the one thing between a free and a paid plan, and customers plan by it.',
  how: 'Between two ordinary requests, the key at mint.keys.trialEnded asks for tokens. A token is a failure where the operator vouches for the state (attested), else an unmet precondition; another status than 402 is a warning.',
  mints: 2,
  needs: ['mint', 'trialEndedKey'],
  async run(parts, judge) {
    await judgeStateKey(parts, judge, parts.trialEndedKey, {
      name: 'of an ended trial',
      setting: 'mint.keys.trialEnded',
      typicalStatus: 402,
    })
  },
  catches: {
    'still mints': { mint: { admit: () => undefined } },
    'mints when a lifetime is asked for': {
      mint: {
        answer: async (answer, { body }, tools) =>
          answer.status === 402 && body?.includes('ttlSeconds')
            ? jsonAnswer({ token: await tools.issueFreely('anybody') })
            : answer,
      },
    },
    'refuses with a token': {
      mint: {
        refuse: async ({ status }, _, tools) =>
          jsonAnswer({ token: await tools.issueFreely('anybody') }, status),
      },
    },
    'answers 401': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 401) }, as: 'warn' },
    'answers 403': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 403) }, as: 'warn' },
    'answers 200 with an error': { mint: { refuse: () => jsonAnswer({ error: 'no' }) }, as: 'warn' },
  },
})
