import { onOneLine } from '../../base/printable.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { addressOfClause, addressOfRequirement } from '../addresses.ts'
import { clauseText, guardsSecrets, rerunCommand, sentenceOf, statementsOf } from '../describe-results.ts'
import { type RunResults, usualConfiguration } from '../results.ts'
import { messageText, type SarifRule, writeSarif } from '../sarif-log.ts'

/** SARIF 2.1.0. A requirement that could not be judged is a notification: no accusation, but visible. */
export function renderSarif(run: RunResults): string {
  const accused = run.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const unjudged = run.checks.filter(({ verdict }) => verdict === 'error' || verdict === 'untested')
  return writeSarif({
    tool: { name: run.tool.name, semanticVersion: run.tool.version },
    rules: run.checks.map((check) => ruleOf(check, run)),
    automationDetails: { id: `twotoken/${encodeURIComponent(onOneLine(run.target))}/` },
    invocation: {
      executionSuccessful: run.outcome !== 'error' && run.interrupted !== true,
      startTimeUtc: run.startedAt,
      toolExecutionNotifications: unjudged.map((check) => ({
        level: check.verdict === 'error' ? 'error' : 'warning',
        message: messageText(`${check.id}, ${sentenceOf(check)}: ${statementsOf(check).join('; ')}`),
        associatedRule: { id: check.id },
      })),
    },
    results: accused.flatMap((check) => resultsFor(check, run)),
    properties: { target: run.target, outcome: run.outcome, summary: run.summary, seed: run.seed },
  })
}

function ruleOf(check: CheckResult, run: RunResults): SarifRule {
  const { id, level, clauses, role } = check
  const isSecurity = clauses.some(guardsSecrets)
  const command = rerunCommand(check, run)
  const again = command === null ? '' : ` Run this check again: ${command}`
  return {
    id,
    shortDescription: messageText(sentenceOf(check)),
    help: messageText(
      `${level}, ${clauseText(clauses)}.${listAddresses(check)} Details: npx twotoken explain ${id}.${again}`,
    ),
    defaultConfiguration: { level: level === 'MUST' ? 'error' : 'warning' },
    helpUri: clauses.map(addressOfClause).find(Boolean) ?? addressOfRequirement(id),
    properties: isSecurity
      ? { tags: [role, level, 'security'], clauses, 'security-severity': level === 'MUST' ? '8.0' : '4.0' }
      : { tags: [role, level], clauses },
  }
}

/** The addresses of the clauses and of the requirement, of which `helpUri` has one. */
function listAddresses({ id, clauses }: CheckResult): string {
  const addresses = [...clauses.map(addressOfClause), addressOfRequirement(id)].filter(
    (address) => address !== undefined,
  )
  return addresses.length === 0 ? '' : ` See ${addresses.join(' , ')} .`
}

/** Findings that pass, such as the evidence of a stale waiver, are no results. */
function resultsFor(check: CheckResult, run: RunResults) {
  const file = encodeURI(onOneLine(run.config ?? usualConfiguration).replaceAll('\\', '/'))
  const uri = file.replaceAll('#', '%23').replaceAll('?', '%3F')
  const broken = check.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const messages =
    broken.length > 0 ? broken.map(({ message }) => message) : [statementsOf(check).join('; ') || check.title]
  return messages.map((message, index) => ({
    ruleId: check.id,
    ruleIndex: run.checks.indexOf(check),
    level: check.verdict === 'warn' || broken[index]?.verdict === 'warn' ? 'warning' : 'error',
    message: messageText(message),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri },
          region: { startLine: 1 },
        },
        logicalLocations: [{ name: check.role, kind: 'module' }],
      },
    ],
    // Messages contain generated ids and times; the requirement and the index stay the same between runs.
    partialFingerprints: { 'twotokenRequirement/v1': `${check.id}/${index}` },
    suppressions: check.waived
      ? [{ kind: 'external', justification: onOneLine(check.reason ?? 'waived') }]
      : undefined,
  }))
}
