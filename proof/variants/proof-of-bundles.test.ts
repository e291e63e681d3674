import { loadCases } from './cases.ts'
import { proveInTests } from './testing/prove.ts'

proveInTests(await loadCases(({ role }) => role === 'bundle'), {
  least: { broken: 40, conforming: 4, degenerate: 0 },
})
