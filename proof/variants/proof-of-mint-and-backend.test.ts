import { loadCases } from './cases.ts'
import { proveInTests } from './testing/prove.ts'

// Conforming variants and clients take longer: `npm run proof` has them.
const cases = await loadCases(({ role }) => role === 'mint' || role === 'backend')
proveInTests(
  cases.filter(({ kind }) => kind !== 'conforming'),
  // The longest case waits for a floor of 60 s and the leeway beyond it.
  { least: { broken: 290, conforming: 0, degenerate: 6 } },
)
