import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadCases } from './cases.ts'
import { proveInTests } from './testing/prove.ts'

// In a file of their own: two files are proved beside each other.
proveInTests(
  await loadCases(({ role }) => role === 'signaling' || role === 'flow'),
  await loadProvenCatalogue(['signaling', 'flow']),
)
