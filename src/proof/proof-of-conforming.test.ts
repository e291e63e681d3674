import { loadCases } from './cases.ts'
import { proveInTests } from './prove-in-tests.ts'

// Those of signaling are as many as all others: in a file of their own, they have a processor of their own.
const cases = await loadCases(({ role }) => role !== 'client' && role !== 'bundle')
proveInTests(
  cases.filter(({ kind, name }) => kind === 'conforming' && !name.startsWith('signaling/')),
  // Each is judged by every requirement of its role, whose longest wait is for a floor of 60 s and the leeway beyond it.
  { timeout: 180_000, least: { broken: 0, conforming: 60, degenerate: 0 } },
)
