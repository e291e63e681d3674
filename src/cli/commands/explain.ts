import { TwotokenError } from '../../base/errors.ts'
import { findCheck, loadCatalogue } from '../../catalogue/load-requirements.ts'
import { nameBrokenVariant } from '../../catalogue/load-variants.ts'
import type { Invariant } from '../../explore/engine/subject.ts'
import { listInvariants } from '../../explore/explore-role.ts'
import { clauseText, sentenceOf } from '../../reports/describe-results.ts'
import { type Framework, findFixPage, frameworkNames } from '../../reports/fix-pages.ts'
import type { AnyCheck, Method } from '../../requirement/define.ts'
import { needTexts } from '../../requirement/needs.ts'
import type { Output } from '../output/output.ts'
import { wrapText } from '../output/wrap-text.ts'

export interface ExplainOptions {
  readonly id: string
  /** The framework whose fix is printed, as code alone. */
  readonly fix?: Framework
}

/**
 * `twotoken explain ID`: one requirement in full, or with `fix` the code that meets it.
 * @throws TwotokenError `usage` for an unknown id, and for one without a fix in code
 */
export async function explain({ id, fix }: ExplainOptions, { stdout }: Output): Promise<number> {
  const invariant = listInvariants().find((one) => one.id === id.trim().toUpperCase())
  if (invariant !== undefined && fix === undefined) {
    stdout.write(explainInvariant(invariant))
    return 0
  }
  const check = findCheck(id, await loadCatalogue())
  stdout.write(fix === undefined ? explainText(check) : fixText(check.id, fix))
  return 0
}

function fixText(id: string, framework: Framework): string {
  const page = findFixPage(id)
  if (page === null)
    throw new TwotokenError('usage', `--fix: no code fixes ${id}; the requirements on a backend have some`)
  return page.code[framework]
}

function explainInvariant({ id, role, title, level, clauses, why, how, generalises }: Invariant): string {
  const sections: [string, string][] = [
    ['Why', wrapText(why)],
    ['Method', wrapText(`After every step of every story: ${how}`)],
    ['Generalises', `  ${generalises.join(', ')}`],
    ['Try it', wrapText(`twotoken explore ${role}`)],
  ]
  const texts = sections.map(([heading, text]) => `${heading}\n${text}\n`)
  return `${id} · ${sentenceOf({ role, title })}\n${level}, ${clauseText(clauses)}\n\n${texts.join('\n')}`
}

export function explainText(check: AnyCheck): string {
  const { clauses, needs, mints = 0, catches } = check
  const cost = mints === 0 ? [] : [`at most ${mints} calling ${mints === 1 ? 'token' : 'tokens'}`]
  const needed = [...new Set(needs.map((need) => sentenceOfNeed(need))), ...cost]
  const broken = Object.entries(catches)
  const sections: [string, string][] = [
    ['Why', wrapText(check.why)],
    ...(check.basis === undefined ? [] : [['Specification', wrapText(check.basis)] as [string, string]]),
    ...methodSections(check.how),
    ...(check.standards === undefined
      ? []
      : [['Other standards', formatList(check.standards)] as [string, string]]),
    ['Needs', needed.length === 0 ? '  nothing' : formatList(needed)],
    [
      'Detected violations',
      broken.length === 0
        ? '  none: it records only'
        : `${wrapText('The proof runs this requirement against these broken variants of the reference. Start one with twotoken serve --variant:')}\n${formatList(
            broken.map(([name, { as = 'fail' }]) => `${name} → ${as} (${nameBrokenVariant(check.id, name)})`),
          )}`,
    ],
  ]
  const page = findFixPage(check.id)
  if (page !== null)
    sections.push([
      'Fix',
      `${wrapText(`${page.title}. ${page.text}`)}\n${wrapText(`Code: twotoken explain ${check.id} --fix ${frameworkNames.join('|')}`)}`,
    ])
  const texts = sections.map(([heading, text]) => `${heading}\n${text}\n`)
  return `${check.id} · ${sentenceOf(check)}\n${check.level}, ${clauseText(clauses)}\n\n${texts.join('\n')}`
}

/** The verdicts of a method, each under the heading of its list. */
const methodHeadings = { fails: 'Fails', warns: 'Warns', untested: 'Not judged' } as const

function methodSections(how: Method): [string, string][] {
  const verdicts = Object.entries(methodHeadings).flatMap(([key, heading]): [string, string][] => {
    const cases = how[key as keyof typeof methodHeadings] ?? []
    return cases.length === 0 ? [] : [[heading, formatList(cases)]]
  })
  return [['Method', wrapText(how.does.join(' '))], ...verdicts]
}

function sentenceOfNeed(need: keyof typeof needTexts): string {
  const { wants, absent, appliesWithout = false } = needTexts[need]
  return absent === undefined || appliesWithout ? wants : `${wants} (or ${absent} declared under absent)`
}

function formatList(items: readonly string[]): string {
  return items.map((item) => wrapText(item, '  - ', '    ')).join('\n')
}
