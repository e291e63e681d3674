import { TwotokenError } from '../../base/errors.ts'
import { findCheck, loadCatalogue } from '../../catalogue/load-requirements.ts'
import { nameBrokenVariant } from '../../catalogue/load-variants.ts'
import type { Invariant } from '../../explore/engine/subject.ts'
import { listInvariants } from '../../explore/explore-role.ts'
import { clauseText, sentenceOf } from '../../reports/describe-results.ts'
import { type Framework, findFixPage, frameworksOf, readProgram } from '../../reports/fix-pages.ts'
import type { AnyCheck, Method } from '../../requirement/define.ts'
import { needTexts } from '../../requirement/needs.ts'
import { type LoadRequirement, loadRequirements } from '../../storm/requirements.ts'
import type { Output } from '../output/output.ts'
import { wrapText } from '../output/wrap-text.ts'

export interface ExplainOptions {
  readonly id: string
  /** The framework whose fix is printed, as code alone. */
  readonly fix?: Framework
  /** With the blocks of all other pages for this framework: a complete program. */
  readonly whole?: boolean
  readonly variants?: boolean
}

/**
 * `twotoken explain ID`: one requirement in full, or with `fix` the code that meets it.
 * @throws TwotokenError `usage` for an unknown id, for one without a fix in code, and for `whole` without a program in one file
 */
export async function explain(
  { id, fix, whole = false, variants = false }: ExplainOptions,
  { stdout, columns }: Output & { readonly columns?: number | undefined },
): Promise<number> {
  if (fix !== undefined) {
    stdout.write(fixText(id.trim().toUpperCase(), fix, whole))
    return 0
  }
  if (whole) throw new TwotokenError('usage', '--whole belongs to --fix')
  const isAsked = (one: { readonly id: string }) => one.id === id.trim().toUpperCase()
  const wrap = wrapAt(columns)
  const invariant = listInvariants().find(isAsked)
  const underLoad = loadRequirements.find(isAsked)
  if (invariant !== undefined) stdout.write(explainInvariant(invariant, wrap))
  else if (underLoad !== undefined) stdout.write(explainLoad(underLoad, wrap))
  else stdout.write(explainText(findCheck(id, await loadCatalogue()), variants, columns))
  return 0
}

type Wrap = (text: string, first?: string, rest?: string) => string

function wrapAt(columns: number | undefined): Wrap {
  return (text, first, rest) => wrapText(text, first, rest, columns)
}

function fixText(id: string, framework: Framework, whole: boolean): string {
  const page = findFixPage(id)
  if (page === null)
    throw new TwotokenError(
      'usage',
      `--fix: no code fixes ${id}; docs/fixes/README.md lists the requirements with code`,
    )
  const code = page.code[framework]
  if (code === undefined)
    throw new TwotokenError(
      'usage',
      `--fix: ${id} has no code for ${framework}; use one of ${frameworksOf(page).join(', ')}`,
    )
  if (!whole) return code
  if (framework === 'spring')
    throw new TwotokenError('usage', '--whole: in Spring each page is a file; print them without --whole')
  return readProgram(page.part, framework)
}

function explainInvariant(
  { id, role, title, level, clauses, why, how, generalises }: Invariant,
  wrap: Wrap,
): string {
  const sections: [string, string][] = [
    ['Why', wrap(why)],
    ['Method', wrap(`After every step of every story: ${how}`)],
    ['Generalises', `  ${generalises.join(', ')}`],
    ['Try it', wrap(`twotoken explore ${role}`)],
  ]
  const texts = sections.map(([heading, text]) => `${heading}\n${text}\n`)
  return `${id} · ${sentenceOf({ role, title })}\n${level}, ${clauseText(clauses)}\n\n${texts.join('\n')}`
}

function explainLoad(requirement: LoadRequirement, wrap: Wrap): string {
  const { id, level, clauses, why, basis, how } = requirement
  const sections: [string, string][] = [
    ['Why', wrap(why)],
    ['Specification', wrap(basis)],
    ...methodSections(how, wrap),
    ['Try it', wrap('twotoken storm')],
  ]
  const texts = sections.map(([heading, text]) => `${heading}\n${text}\n`)
  return `${id} · ${sentenceOf(requirement)}\n${level}, ${clauseText(clauses)}\n\n${texts.join('\n')}`
}

export function explainText(check: AnyCheck, withVariants = false, columns?: number): string {
  const wrap = wrapAt(columns)
  const { clauses, needs, mints = 0 } = check
  const cost = mints === 0 ? [] : [`at most ${mints} calling ${mints === 1 ? 'token' : 'tokens'}`]
  const needed = [...new Set(needs.map((need) => sentenceOfNeed(need))), ...cost]
  const sections: readonly (readonly [string, string])[] = [
    ['Why', wrap(check.why)],
    ...fixSection(check.id, wrap),
    ...(check.basis === undefined ? [] : [['Specification', wrap(check.basis)] as const]),
    ...methodSections(check.how, wrap),
    ...(check.standards === undefined
      ? []
      : [['Other standards', formatList(check.standards, wrap)] as const]),
    ['Needs', needed.length === 0 ? '  nothing' : formatList(needed, wrap)],
    ['Proof', proofText(check, withVariants, wrap)],
  ]
  const texts = sections.map(([heading, text]) => `${heading}\n${text}\n`)
  return `${check.id} · ${sentenceOf(check)}\n${check.level}, ${clauseText(clauses)}\n\n${texts.join('\n')}`
}

function fixSection(id: string, wrap: Wrap): (readonly [string, string])[] {
  const page = findFixPage(id)
  if (page === null) return []
  const text = wrap(`${page.title}. ${page.text}`)
  return [['Fix', `${text}\n${wrap(`Code: twotoken explain ${id} --fix ${frameworksOf(page).join('|')}`)}`]]
}

function proofText({ id, catches }: AnyCheck, withVariants: boolean, wrap: Wrap): string {
  const broken = Object.entries(catches)
  if (broken.length === 0) return '  no broken variants: it records only'
  const count = `${broken.length} broken ${broken.length === 1 ? 'variant' : 'variants'} of the reference`
  if (!withVariants) return wrap(`It catches ${count}: twotoken explain ${id} --variants lists them.`)
  const listed = broken.map(([name, { as = 'fail' }]) => `${name} → ${as} (${nameBrokenVariant(id, name)})`)
  return `${wrap(`It catches ${count}. Start one with twotoken serve --variant:`)}\n${formatList(listed, wrap)}`
}

/** The verdicts of a method, each under the heading of its list. */
const methodHeadings = { fails: 'Fails', warns: 'Warns', untested: 'Not judged' } as const

function methodSections(how: Method, wrap: Wrap): [string, string][] {
  const verdicts = Object.entries(methodHeadings).flatMap(([key, heading]): [string, string][] => {
    const cases = how[key as keyof typeof methodHeadings] ?? []
    return cases.length === 0 ? [] : [[heading, formatList(cases, wrap)]]
  })
  return [['Method', wrap(how.does.join(' '))], ...verdicts]
}

function sentenceOfNeed(need: keyof typeof needTexts): string {
  const { wants, absent, appliesWithout = false } = needTexts[need]
  return absent === undefined || appliesWithout ? wants : `${wants} (or ${absent} declared under absent)`
}

function formatList(items: readonly string[], wrap: Wrap): string {
  return items.map((item) => wrap(item, '  - ', '    ')).join('\n')
}
