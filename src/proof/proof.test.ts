import { loadCases } from './cases.ts'
import { proveInTests } from './prove-in-tests.ts'

// Clients, bundles and conforming variants are proved in files of their own: a browser, an audit and whole suites take the
// time of these cases' deadlines.
const cases = await loadCases(({ role }) => role !== 'client' && role !== 'bundle')
proveInTests(
  cases.filter(({ kind }) => kind !== 'conforming'),
  {
    // The longest case waits for a floor of 60 s and the leeway beyond it.
    timeout: 120_000,
    least: { broken: 400, conforming: 0, degenerate: 12 },
  },
)
