import { defineCheck } from '../../src/requirement/define.ts'
import { auditBundle, judgeFindings } from './lib/audit-bundle.ts'

export default defineCheck({
  id: 'PKG-01',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.1'],
  basis: 'The API key is never placed in a mobile binary (2.1.1).',
  title: 'ships no server key',
  why: 'Every user has every byte of the app: with the key in it, any user can mint for any other.',
  how: {
    does: [
      'Reads every file under bundle.paths through containers, formats and encodings, and folds constant expressions in scripts.',
    ],
    fails: ['A key.'],
    warns: ['A string that only resembles a key, or the prefix of one, bare or in pieces.'],
  },
  needs: [],
  async run(common, judge) {
    const { findings } = await auditBundle(common)
    judgeFindings(
      judge,
      findings.filter(({ kind }) => kind === 'key' || kind === 'prefix'),
      { expected: 'no server key in any form (2.1.1)', fix: 'Remove the key from the app and revoke it.' },
    )
  },
})
