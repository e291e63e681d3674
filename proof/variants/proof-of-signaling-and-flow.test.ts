import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadCases } from './cases.ts'
import { proveInTests } from './testing/prove.ts'

// In a file of their own: two files are proved beside each other.
const cases = await loadCases(({ role }) => role === 'signaling' || role === 'flow')
proveInTests(
  cases.filter(({ kind }) => kind !== 'conforming'),
  await loadProvenCatalogue(['signaling', 'flow']),
)
