import { onLines, onOneLine } from '../../base/printable.ts'
import type { Verdict } from '../../base/verdict.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { clauseText, sentenceOf, statementsOf } from '../describe-results.ts'
import { type RunResults, usualConfiguration } from '../results.ts'

const commands: Readonly<Partial<Record<Verdict, string>>> = {
  fail: 'error',
  error: 'error',
  warn: 'warning',
  untested: 'notice',
}

/** Annotations of a GitHub Actions job: one workflow command for each requirement that has something to say, at the configuration. */
export function renderGithub(run: RunResults): string {
  const file = property(run.config ?? usualConfiguration)
  return run.checks.map((check) => annotationOf(check, file)).join('')
}

/** The page of a commit shows no more of an annotation at once. */
const longestList = 8

function annotationOf(check: CheckResult, file: string): string {
  const { id, verdict, reason, findings, clauses } = check
  const command = commands[verdict]
  if (command === undefined) return ''
  const own = findings.filter((finding) => commands[finding.verdict] !== undefined)
  const texts = own.length > 0 ? statementsOf({ ...check, findings: own }) : [reason ?? verdict]
  const title = property(`${id} ${sentenceOf(check)}`)
  const left = texts.length - longestList
  const more = left > 0 ? [`and ${left} more, in the report`] : []
  const shown = [...texts.slice(0, longestList), ...more].join('\n')
  return `::${command} file=${file},title=${title}::${encode(onLines(`${shown} (${clauseText(clauses)})`))}\n`
}

function encode(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return encode(onOneLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
