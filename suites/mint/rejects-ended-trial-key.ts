import { defineCheck } from '../../src/requirement/define.ts'
import { judgeStateKey } from './lib/judge-state-key.ts'

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
})
