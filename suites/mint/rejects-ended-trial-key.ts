import { defineCheck } from '../../src/requirement/define.ts'
import { judgeStateKey } from './lib/judge-state-key.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export default defineCheck({
  id: 'MINT-15',
  role: 'mint',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['7'],
  basis: 'A trial that has ended is answered with an error (7).',
  title: 'rejects the key of an ended trial',
  why: 'A trial that still mints after its end gives the paid service away.',
  how: {
    does: ['Between two controls, requests tokens with the key at mint.keys.trialEnded.'],
    fails: ['A token where the operator attests the state (attested: true).'],
    warns: ['A status other than 402.'],
    untested: [
      'A token, or 401 as for an unknown key, where the state is not attested: the precondition is not met.',
    ],
  },
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
            ? jsonAnswer({ token: await tools.issueFreely('any-user') })
            : answer,
      },
    },
    'refuses with a token': {
      mint: {
        refuse: async ({ status }, _, tools) =>
          jsonAnswer({ token: await tools.issueFreely('any-user') }, status),
      },
    },
    'answers 401': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 401) }, as: 'warn' },
    'answers 403': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 403) }, as: 'warn' },
    'answers 200 with an error': { mint: { refuse: () => jsonAnswer({ error: 'no' }) }, as: 'warn' },
  },
})
