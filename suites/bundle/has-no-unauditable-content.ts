import { defineCheck } from '../../src/requirement/define.ts'
import { auditBundle } from './lib/audit-bundle.ts'

export default defineCheck({
  id: 'PKG-04',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.1'],
  basis: 'No binary holds the API key: what cannot be read may hold it (2.1.1).',
  title: 'has no unauditable content',
  why: 'Content that the audit cannot read may contain a secret, so a pass would be unfounded.',
  how: {
    does: ['Reads every file under bundle.paths, and each part of it.'],
    untested: ['Encrypted, corrupt and unsupported parts, and parts over a limit, each with its location.'],
  },
  needs: [],
  async run(common, judge) {
    const { gaps, audited: paths } = await auditBundle(common)
    const bytes = paths.reduce((sum, path) => sum + path.bytes, 0)
    for (const { location, reason } of gaps) judge.untested(`${location}: ${reason}`)
    if (gaps.length === 0)
      judge.must(bytes > 0, {
        saw: 'no bytes to audit',
        expected: 'build artefacts at bundle.paths',
        fix: 'Build the bundle first, or correct bundle.paths.',
      })
    judge.observe('bundle.bytes', bytes)
    judge.observe(
      'bundle.files',
      paths.reduce((sum, { entries }) => sum + entries, 0),
    )
  },
})
