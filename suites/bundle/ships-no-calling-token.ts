import { defineCheck } from '../../src/requirement/define.ts'
import { auditBundle, judgeFindings } from './audit-bundle.ts'
import { createSample } from './sample.ts'

export default defineCheck({
  id: 'PKG-02',
  role: 'bundle',
  level: 'MUST',
  clauses: ['4.4'],
  title: 'ships no calling JWT',
  why: 'A test token that is hard-coded is one that every user shares.',
  how: 'Every JWT under bundle.paths is read by its header and claims. Where a mint is configured, one of its tokens shows what they look like: what resembles it is a failure, and a warning once it has expired. Without a mint, one that speaks of calling, or that carries a user and lives less than a day, is; others are counted.',
  needs: [],
  async run(common, judge) {
    const { findings } = await auditBundle(common)
    judgeFindings(
      judge,
      findings.filter(({ kind }) => kind === 'jwt'),
      'no calling JWT',
    )
  },
  catches: {
    'pasted from the console': createSample('test-token'),
    'put together of parts': createSample('test-token-in-parts'),
    'in Hermes bytecode': createSample('test-token-in-hermes'),
    'in Info.plist': createSample('test-token-in-plist'),
    'that has expired': { ...createSample('expired-test-token'), as: 'warn' },
  },
})
