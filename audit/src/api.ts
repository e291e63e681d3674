/** All that other rooms use of the audit. What few audits need is loaded when it is asked for. */
export { auditPaths } from './audit/audit.ts'
export type { AuditResult, Finding, Gap } from './model/finding.ts'
export { modelOf, observedModel, type TokenModel } from './model/jwt.ts'
export type { Work } from './model/progress.ts'
export { ruleTexts } from './model/rules.ts'
export { countsOf, type SelfTestCell } from './self-test/cells.ts'

/** Audits in a thread of their own. */
export const loadApart = () => import('./audit/apart.ts')

/** Loads the baseline of known and accepted findings, so that only the rest is reported. */
export const loadBaseline = () => import('./audit/baseline.ts')

/** Canaries in copies of the files, to see which of them the audit finds. */
export async function loadSelfTest() {
  const [{ selfTest }, { renderSelfTestJson, renderSelfTestText }] = await Promise.all([
    import('./self-test/self-test.ts'),
    import('./self-test/report.ts'),
  ])
  return { selfTest, renderSelfTestJson, renderSelfTestText }
}
