import { rejectsStateKey } from './lib/judge-state-key.ts'

export default rejectsStateKey(
  { name: 'of an ended trial', need: 'trialEndedKey', setting: 'mint.keys.trialEnded', typical: 402 },
  {
    id: 'MINT-15',
    clauses: ['7'],
    basis: 'A trial that has ended is answered with an error (7).',
    title: 'rejects the key of an ended trial',
    why: 'A trial that still mints after its end gives the paid service away.',
    mints: 2,
  },
)
