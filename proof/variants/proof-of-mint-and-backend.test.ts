import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadCases } from './cases.ts'
import { proveInTests } from './testing/prove.ts'

proveInTests(
  await loadCases(({ role }) => role === 'mint' || role === 'backend'),
  await loadProvenCatalogue(['mint', 'backend']),
)
