import { readDescribedCatalogue } from '../../src/catalogue/described.ts'
import { type Explanation, explain, type Section } from '../../src/catalogue/explanation.ts'
import { anchorOf } from '../../src/reports/addresses.ts'
import { escapeMarkdown } from '../../src/reports/escape.ts'
import { findFixPage } from '../../src/reports/fix-pages.ts'
import type { Standard } from '../../src/requirement/define.ts'

/** A page in Markdown for each requirement and each invariant of an exploration. */
export async function explanationPages(): Promise<readonly { readonly id: string; readonly text: string }[]> {
  const { checks, invariants } = await readDescribedCatalogue()
  return await Promise.all(
    [...checks, ...invariants].map(async ({ id }) => ({
      id,
      text: renderExplanation(await explain(id, true)),
    })),
  )
}

function renderExplanation(explanation: Explanation): string {
  const { id, sentence, rank, clauses } = explanation
  const [level = ''] = rank.split(',')
  const links = clauses.map((clause) => `[${clause}](../specification.md#${anchorOf(clause)})`)
  return [
    `# ${id} · ${escapeText(sentence)}`,
    '',
    links.length === 0
      ? `**${level}**, beyond the specification`
      : `**${level}** · clauses ${links.join(', ')}`,
    '',
    ...explanation.sections.flatMap((section) => renderSection(section, explanation)),
    ...trySection(explanation),
  ].join('\n')
}

function renderSection({ heading, paragraphs, items }: Section, { id, standards }: Explanation): string[] {
  const head = [`## ${heading}`, '']
  const fix = findFixPage(id)
  if (heading === 'Fix' && fix !== null)
    return [...head, fix.text, '', `Code: [${fix.title}](../fixes/${fix.file})`, '']
  if (heading === 'Other standards')
    return [...head, ...standards.map((one) => `- ${linkToStandard(one)}`), '']
  return [
    ...head,
    ...paragraphs.flatMap((text) => [escapeText(text), '']),
    ...items.map((item) => `- ${escapeText(item)}`),
    '',
  ]
}

function linkToStandard(standard: Standard): string {
  const [, rfc, part] = /^RFC (\d+), (.+)$/.exec(standard) ?? []
  const address =
    rfc === undefined
      ? 'https://github.com/OWASP/ASVS/tree/v5.0.0/5.0/en'
      : `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${part}`
  return `[${standard}](${address})`
}

/** An invariant says the same in a section. */
function trySection({ id, sections }: Explanation): string[] {
  if (sections.some(({ heading }) => heading === 'Try it')) return []
  return ['## Try it', '', '```sh', `npx twotoken run --only ${id}`, '```', '']
}

/** The generator of the site evaluates what is between double braces. */
function escapeText(text: string): string {
  return escapeMarkdown(text).replaceAll('{', '&#123;')
}
