import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadCases } from './cases.ts'
import { proveInTests } from './testing/prove.ts'

proveInTests(await loadCases(({ role }) => role === 'bundle'), await loadProvenCatalogue(['bundle']))
