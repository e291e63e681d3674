import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadCases } from './cases.ts'
import { proveInTests } from './testing/prove.ts'

// Conforming variants and clients take longer: `npm run proof` has them.
const cases = await loadCases(({ role }) => role === 'mint' || role === 'backend')
proveInTests(
  cases.filter(({ kind }) => kind !== 'conforming'),
  await loadProvenCatalogue(['mint', 'backend']),
)
