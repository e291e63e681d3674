import { TwotokenError } from '../../base/errors.ts'
import { type Explanation, explain } from '../../catalogue/explanation.ts'
import { addressOfClause } from '../../reports/addresses.ts'
import { type Framework, findFixPage, frameworksOf, readProgram } from '../../reports/fix-pages.ts'
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
 * @throws TwotokenError `usage` for an unknown id, for one without a fix in code, and for `whole` without `fix`
 */
export async function printExplanation(
  { id, fix, whole = false, variants = false }: ExplainOptions,
  { stdout, columns }: Output & { readonly columns?: number | undefined },
): Promise<number> {
  if (fix !== undefined) {
    stdout.write(fixText(id.trim().toUpperCase(), fix, whole))
    return 0
  }
  if (whole) throw new TwotokenError('usage', '--whole belongs to --fix')
  stdout.write(formatExplanation(await explain(id, variants), columns))
  return 0
}

export function formatExplanation(
  { id, sentence, rank, clauses, sections }: Explanation,
  columns?: number,
): string {
  const texts = sections.map(({ heading, paragraphs, items }) => {
    const lines = [
      ...paragraphs.map((paragraph) => wrapText(paragraph, '  ', '  ', columns)),
      ...items.map((item) => wrapText(item, '  - ', '    ', columns)),
    ]
    return `${heading}\n${lines.join('\n')}\n`
  })
  const addresses = clauses.map((clause) => `  ${addressOfClause(clause)}\n`)
  const online = addresses.length === 0 ? [] : [`Clauses\n${addresses.join('')}`]
  return `${id} · ${sentence}\n${rank}\n\n${[...texts, ...online].join('\n')}`
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
  return readProgram(page.part, framework)
}
