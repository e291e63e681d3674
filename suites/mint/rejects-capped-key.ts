import { rejectsStateKey } from './lib/judge-state-key.ts'

export default rejectsStateKey(
  { name: 'at its trial mint cap', need: 'cappedKey', setting: 'mint.keys.capped', typical: 429 },
  {
    id: 'MINT-17',
    clauses: ['7', '8'],
    basis: 'A trial has a mint cap, and a request beyond it is answered with an error (7, 8).',
    title: 'rejects a key at its trial mint cap',
    why: 'A cap that is not enforced limits nothing: use beyond the trial goes unpaid.',
    mints: 2,
  },
)
