import { loadCases } from './cases.ts'
import { proveInTests } from './prove-in-tests.ts'

// Clients and bundles are proved in files of their own: a browser and an audit take the time of these cases' deadlines.
proveInTests(await loadCases(({ role }) => role !== 'client' && role !== 'bundle'), {
  // The longest case waits for a floor of 60 s and the leeway beyond it.
  timeout: 120_000,
  least: { broken: 400, conforming: 100, degenerate: 12 },
})
