import { defineCheck } from '../../src/requirement/define.ts'
import { auditBundle, judgeFindings } from './lib/audit-bundle.ts'

export default defineCheck({
  id: 'PKG-02',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.4'],
  basis: 'A production build ships no hard-coded JWT (4.4).',
  title: 'ships no calling JWT',
  why: 'Every user of the app shares a hard-coded test token.',
  how: {
    does: ['Reads the header and claims of every JWT under bundle.paths.', 'Other JWTs are counted.'],
    fails: [
      'Where a mint is configured, a JWT that resembles one of its tokens.',
      'Without a mint, a JWT that mentions calling, or that carries a user and lives less than a day.',
    ],
    warns: ['A JWT that resembles a token of the mint and has expired.'],
    untested: ['A mint that is configured and gave no token to compare with.'],
  },
  needs: [],
  async run(common, judge) {
    const { findings, noModel } = await auditBundle(common)
    if (noModel !== null) judge.untested(`no token of the mint to compare with: ${noModel}`)
    judgeFindings(
      judge,
      findings.filter(({ kind }) => kind === 'jwt'),
      { expected: 'no calling JWT (4.4)', fix: 'Fetch tokens from the backend in getAuthToken.' },
    )
  },
})
