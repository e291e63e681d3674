import { type ListedCheck, readDescribedCatalogue } from '../../catalogue/described.ts'
import { type Explanation, explain } from '../../catalogue/explanation.ts'
import { addressOfClause } from '../../reports/addresses.ts'
import type { Output } from '../output/output.ts'
import { wrapText } from '../output/wrap-text.ts'

export interface ExplainOptions {
  readonly id: string
  readonly variants?: boolean
}

/**
 * `twotoken explain ID`: one requirement in full. A word in place of the id lists the requirements about it.
 * @throws TwotokenError `usage` for an unknown id, and for a word that no requirement has
 */
export async function printExplanation(
  { id, variants = false }: ExplainOptions,
  { stdout, columns }: Output & { readonly columns?: number | undefined },
): Promise<number> {
  const about = /\d/.test(id) ? [] : findAbout(id, (await readDescribedCatalogue()).checks)
  stdout.write(
    about.length > 0
      ? `${about.map((check) => `${check.id}  ${check.title}\n`).join('')}\nDetails: npx twotoken explain ${about[0]?.id}\n`
      : formatExplanation(await explain(id, variants), columns),
  )
  return 0
}

/** "caching" finds "cached" and "cache": titles first, and then reasons and verdicts. */
function findAbout(word: string, checks: readonly ListedCheck[]): ListedCheck[] {
  const stem = word
    .trim()
    .toLowerCase()
    .replace(/(?:ing|es|ed|e|s)$/, '')
  const isAbout = (text: string) =>
    text
      .toLowerCase()
      .split(/\W+/)
      .some((one) => one.startsWith(stem))
  const titled = checks.filter(({ title }) => isAbout(title))
  const others = checks.filter(({ why, how: { fails = [], warns = [] } }) =>
    isAbout([why, ...fails, ...warns].join(' ')),
  )
  return stem === '' ? [] : [...new Set([...titled, ...others])]
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
