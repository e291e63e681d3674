import { defineCheck } from '../../src/requirement/define.ts'
import { judgeStateKey } from './lib/judge-state-key.ts'

export default defineCheck({
  id: 'MINT-17',
  role: 'mint',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['7', '8'],
  basis: 'A trial has a mint cap, and a request beyond it is answered with an error (7, 8).',
  title: 'rejects a key at its trial mint cap',
  why: 'A cap that is not enforced limits nothing: use beyond the trial goes unpaid.',
  how: {
    does: [
      'Between two controls, requests tokens with the key at mint.keys.capped; the suite never exhausts a live cap.',
      'Retry-After is recorded.',
    ],
    fails: [
      'A token where the operator attests the state (attested: true), or where the status is a rejection.',
    ],
    warns: ['A status other than 429.'],
    untested: [
      'A token, or 401 as for an unknown key, where the state is not attested: the precondition is not met.',
    ],
  },
  mints: 2,
  needs: ['mint', 'cappedKey'],
  async run(parts, judge) {
    await judgeStateKey(parts, judge, parts.cappedKey, {
      name: 'at its trial mint cap',
      setting: 'mint.keys.capped',
      typicalStatus: 429,
    })
  },
})
