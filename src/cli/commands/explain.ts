import { TwotokenError } from '../../base/errors.ts'
import { type ListedCheck, readDescribedCatalogue } from '../../catalogue/described.ts'
import { type Explanation, explain } from '../../catalogue/explanation.ts'
import { addressOfClause } from '../../reports/addresses.ts'
import type { Output } from '../output/output.ts'
import { wrapText } from '../output/wrap-text.ts'

/** Fewer letters begin too many words. */
const shortestStem = 4

/** `twotoken explain ID`: one requirement in full, or the requirements about a word; throws `usage` for an unknown one. */
export async function printExplanation(
  { id, variants = false }: { readonly id: string; readonly variants?: boolean },
  { stdout, columns }: Output & { readonly columns?: number | undefined },
): Promise<number> {
  const isWord = /^[a-z]+$/i.test(id)
  const about = isWord ? findAbout(id.toLowerCase(), (await readDescribedCatalogue()).checks) : []
  if (isWord && about.length === 0)
    throw new TwotokenError('usage', `no requirement is about "${id}": twotoken list shows all`)
  stdout.write(
    about.length > 0
      ? `${about.map((check) => `${check.id}  ${check.title}\n`).join('')}\nDetails: npx twotoken explain ${about[0]?.id}\n`
      : formatExplanation(await explain(id, variants), columns),
  )
  return 0
}

/** "caching" finds "cached" and "cache", behind the word itself: titles first, and then reasons and verdicts. */
function findAbout(word: string, checks: readonly ListedCheck[]): ListedCheck[] {
  const shortened = word.replace(/(?:ing|es|ed|e|s)$/, '')
  const stem = shortened.length < shortestStem ? word : shortened
  const wordsOf = (text: string) => text.toLowerCase().split(/\W+/)
  const titled = (is: (one: string) => boolean) => checks.filter(({ title }) => wordsOf(title).some(is))
  const told = (is: (one: string) => boolean) =>
    checks.filter(({ why, how: { fails = [], warns = [] } }) =>
      wordsOf([why, ...fails, ...warns].join(' ')).some(is),
    )
  const isIt = (one: string) => one === word || one === shortened || one === `${word}s`
  const isLike = (one: string) => one.startsWith(stem)
  return [...new Set([...titled(isIt), ...titled(isLike), ...told(isIt), ...told(isLike)])]
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
