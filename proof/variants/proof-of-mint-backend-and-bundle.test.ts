import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadCases } from './cases.ts'
import { proveInTests } from './testing/prove.ts'

proveInTests(
  await loadCases(({ role }) => ['mint', 'backend', 'bundle'].includes(role)),
  await loadProvenCatalogue(['mint', 'backend', 'bundle']),
)
