import { findCheck, loadCatalogue } from '../../catalogue/load-requirements.ts'
import { nameBrokenVariant } from '../../catalogue/load-variants.ts'
import { clauseText, sentenceOf } from '../../reports/describe-results.ts'
import type { AnyCheck } from '../../requirement/define.ts'
import { needTexts } from '../../requirement/needs.ts'
import type { Output } from '../output/output.ts'
import { wrapText } from '../output/wrap-text.ts'

/**
 * `twotoken explain ID`: one requirement in full.
 * @throws TwotokenError `usage` for an unknown id
 */
export async function explain({ id }: { readonly id: string }, { stdout }: Output): Promise<number> {
  stdout.write(explainText(findCheck(id, await loadCatalogue())))
  return 0
}

export function explainText(check: AnyCheck): string {
  const { clauses, needs, mints = 0, catches } = check
  const cost =
    mints === 0
      ? []
      : [`${mints} calling ${mints === 1 ? 'token that is' : 'tokens that are'} issued for it, at most`]
  const needed = [...new Set(needs.map((need) => sentenceOfNeed(need))), ...cost]
  const broken = Object.entries(catches)
  const sections: [string, string][] = [
    ['Why', wrapText(check.why)],
    ['How it is judged', wrapText(check.how)],
    ['What it needs', needed.length === 0 ? '  nothing' : formatList(needed)],
    [
      'How it fails',
      broken.length === 0
        ? '  it only records, so nothing fails'
        : `${wrapText('The proof breaks the reference in these ways, and this requirement catches each; twotoken serve --variant starts one:')}\n${formatList(
            broken.map(([name, { as = 'fail' }]) => `${name} → ${as} (${nameBrokenVariant(check.id, name)})`),
          )}`,
    ],
  ]
  const texts = sections.map(([heading, text]) => `${heading}\n${text}\n`)
  return `${check.id} · ${sentenceOf(check)}\n${check.level}, ${clauseText(clauses)}\n\n${texts.join('\n')}`
}

function sentenceOfNeed(need: keyof typeof needTexts): string {
  const { wants, absent } = needTexts[need]
  return absent === undefined ? wants : `${wants} (or ${absent} declared under absent)`
}

function formatList(items: readonly string[]): string {
  return items.map((item) => wrapText(item, '  - ', '    ')).join('\n')
}
