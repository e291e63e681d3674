import { loadCases } from './cases.ts'
import { proveInTests } from './testing/prove.ts'

// In a file of their own, they have a process of their own.
const cases = await loadCases(({ role }) => role === 'signaling' || role === 'flow')
proveInTests(
  cases.filter(({ kind }) => kind !== 'conforming'),
  { least: { broken: 130, conforming: 0, degenerate: 4 } },
)
