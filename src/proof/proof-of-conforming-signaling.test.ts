import { loadCases } from './cases.ts'
import { proveInTests } from './prove-in-tests.ts'

const cases = await loadCases(({ role }) => role !== 'client' && role !== 'bundle')
proveInTests(
  cases.filter(({ kind, name }) => kind === 'conforming' && name.startsWith('signaling/')),
  { timeout: 180_000, least: { broken: 0, conforming: 30, degenerate: 0 } },
)
