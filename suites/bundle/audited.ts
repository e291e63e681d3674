import { auditPaths } from '../../src/audit/audit.ts'
import type { AuditResult, Finding } from '../../src/audit/finding.ts'
import { ruleTexts } from '../../src/audit/rules.ts'
import { type Judge, Untested } from '../../src/check/judge.ts'
import type { Configuration } from '../../src/configuration/configuration.ts'

const audits = new WeakMap<Configuration, Promise<AuditResult>>()

/** The audit of `bundle.paths`, which the requirements of a run share. The mint's host is known from its URL too. */
export function audited(configuration: Configuration): Promise<AuditResult> {
  const { bundle, mint, directory } = configuration
  if (bundle === undefined) throw new Untested('needs bundle.paths, the build artefacts')
  const mintHost = bundle.mintHost ?? (mint && new URL(mint.url).host)
  const running =
    audits.get(configuration) ??
    auditPaths(bundle.paths, directory, mintHost === undefined ? {} : { mintHost })
  audits.set(configuration, running)
  return running
}

/** An error is a breach, a warning an advice; notes are counted. */
export function judgeFindings(judge: Judge, findings: readonly Finding[], expected: string): void {
  judge.must(true, { saw: '', expected })
  for (const finding of findings) {
    const { level, rule, location, shown, decoder } = finding
    const saw = `${ruleTexts[rule]?.title ?? rule} (${rule}): ${shown}, in ${location} (${decoder})`
    if (level === 'error') judge.must(false, { saw, expected })
    if (level === 'warning') judge.advisory(false, { saw, expected })
  }
  judge.observe('notes', findings.filter(({ level }) => level === 'note').length)
}
