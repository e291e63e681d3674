import { defineCheck } from '../../src/requirement/define.ts'
import { judgeStateKey } from './lib/judge-state-key.ts'

export default defineCheck({
  id: 'MINT-16',
  role: 'mint',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['7'],
  basis: 'A project or account problem is answered with an error (7).',
  title: 'rejects the key of a suspended project',
  why: 'A suspension that the mint does not enforce has no effect.',
  how: {
    does: ['Between two controls, requests tokens with the key at mint.keys.suspended.'],
    fails: ['A token where the operator attests the state (attested: true).'],
    warns: ['A status other than 403.'],
    untested: [
      'A token, or 401 as for an unknown key, where the state is not attested: the precondition is not met.',
    ],
  },
  // A 403 may be a block: an ordinary request between the controls tells.
  mints: 3,
  needs: ['mint', 'suspendedKey'],
  async run(parts, judge) {
    await judgeStateKey(parts, judge, parts.suspendedKey, {
      name: 'of a suspended project',
      setting: 'mint.keys.suspended',
      typicalStatus: 403,
    })
  },
})
