import { rejectsStateKey } from './lib/judge-state-key.ts'

export default rejectsStateKey(
  { name: 'of a suspended project', need: 'suspendedKey', setting: 'mint.keys.suspended', typical: 403 },
  {
    id: 'MINT-16',
    clauses: ['7'],
    basis: 'A project or account problem is answered with an error (7).',
    title: 'rejects the key of a suspended project',
    why: 'A suspension that the mint does not enforce has no effect.',
    // A 403 may be a block: an ordinary request between the controls tells.
    mints: 3,
  },
)
