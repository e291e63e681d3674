import { type Explanation, explain } from '../../catalogue/explanation.ts'
import { addressOfClause } from '../../reports/addresses.ts'
import type { Output } from '../output/output.ts'
import { wrapText } from '../output/wrap-text.ts'

export interface ExplainOptions {
  readonly id: string
  readonly variants?: boolean
}

/**
 * `twotoken explain ID`: one requirement in full.
 * @throws TwotokenError `usage` for an unknown id
 */
export async function printExplanation(
  { id, variants = false }: ExplainOptions,
  { stdout, columns }: Output & { readonly columns?: number | undefined },
): Promise<number> {
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
