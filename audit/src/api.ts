/** All that other rooms use of the audit. What few audits need is loaded when it is asked for. */
export { auditPaths } from './audit/audit.ts'
export type { AuditResult, Finding, Gap } from './model/finding.ts'
export { modelOf, observedModel, type TokenModel } from './model/jwt.ts'
export type { Work } from './model/progress.ts'
export { ruleTexts } from './model/rules.ts'
export { countsOf, renderSelfTestJson, renderSelfTestText, type SelfTestCell } from './self-test/report.ts'

/** Audits in a thread of their own. */
export const loadApart = () => import('./audit/apart.ts')

/** Loads the baseline of known and accepted findings, so that only the rest is reported. */
export const loadBaseline = () => import('./audit/baseline.ts')

/** Canaries in copies of the files, to see which of them the audit finds. */
export const loadSelfTest = () => import('./self-test/self-test.ts')
