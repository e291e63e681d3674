import { onLines, onOneLine } from '../../base/printable.ts'
import type { Verdict } from '../../base/verdict.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { clauseText, sentenceOf } from '../describe-results.ts'
import type { RunResults } from '../results.ts'

const commands: Readonly<Partial<Record<Verdict, string>>> = {
  fail: 'error',
  error: 'error',
  warn: 'warning',
  untested: 'notice',
}

/** Annotations of a GitHub Actions job: one workflow command per finding, and per requirement without a verdict. */
export function renderGithub(run: RunResults): string {
  return run.checks.map(annotationsOf).join('')
}

function annotationsOf(check: CheckResult): string {
  const { id, verdict, reason, findings, clauses, waived } = check
  const command = commands[verdict]
  if (command === undefined) return ''
  const own = findings.filter((finding) => commands[finding.verdict] !== undefined)
  const texts = own.length > 0 ? own.map(({ message }) => message) : [reason ?? verdict]
  const because = waived && own.length > 0 ? `; ${reason}` : ''
  const title = property(`${id} ${sentenceOf(check)}`)
  return texts
    .map((text) => `::${command} title=${title}::${data(`${text} (${clauseText(clauses)})${because}`)}\n`)
    .join('')
}

/** Text behind the second `::` of a workflow command. */
function data(text: string): string {
  return encode(onLines(text))
}

function encode(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return encode(onOneLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
