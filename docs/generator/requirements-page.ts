import type { ListedCheck } from '../../src/catalogue/described.ts'
import { anchorOf, anchorOfRequirement } from '../../src/reports/addresses.ts'
import { type Role, roles, type Standard } from '../../src/requirement/define.ts'
import { needTexts } from '../../src/requirement/needs.ts'

const titles: Readonly<Record<Role, string>> = {
  mint: 'Mint',
  backend: 'Backend',
  signaling: 'Signaling',
  flow: 'The whole flow',
  client: 'Client',
  bundle: 'Bundle',
}

/** `docs/requirements.md`: the catalogue, from the files of the requirements. */
export function renderRequirementsPage(checks: readonly ListedCheck[]): string {
  const broken = checks.reduce((sum, { catches }) => sum + Object.keys(catches).length, 0)
  return [
    '# Requirements',
    '',
    `${checks.length} requirements, proved with ${broken} broken variants; \`npm run docs\` writes this page from the files in`,
    '`suites/`. `npx twotoken explain ID` shows one of them in full. A broken MUST is a violation; a broken SHOULD, TYPICAL',
    '(a status that the specification calls typical) or ADVISORY (security advice beyond it) is a warning; INFO is recorded.',
    '',
    ...roles.flatMap((role) =>
      section(
        titles[role],
        checks.filter((check) => check.role === role),
      ),
    ),
    ...levelSection(checks),
    ...standardsSection(checks),
  ].join('\n')
}

/** Why each MUST is one: users who are accused can look it up. */
function levelSection(checks: readonly ListedCheck[]): string[] {
  const rows = checks.flatMap(({ id, basis }) => (basis === undefined ? [] : [`| ${id} | ${basis} |`]))
  return [
    '## Why a MUST is one',
    '',
    'What the specification says, in our words, with its [clause](specification.md). What rests on no sentence of it is SHOULD, ADVISORY or INFO.',
    '',
    '| id | the specification |',
    '| --- | --- |',
    ...rows,
    '',
  ]
}

/** Readers who know these standards find the requirement by its section. */
function standardsSection(checks: readonly ListedCheck[]): string[] {
  const rows = checks.flatMap(({ id, standards = [] }) =>
    standards.length === 0 ? [] : [`| ${id} | ${standards.map(linkToStandard).join('; ')} |`],
  )
  return ['## The same in other standards', '', '| id | section |', '| --- | --- |', ...rows, '']
}

export function linkToStandard(standard: Standard): string {
  const [, rfc, part] = /^RFC (\d+), (.+)$/.exec(standard) ?? []
  const address =
    rfc === undefined
      ? 'https://github.com/OWASP/ASVS/tree/v5.0.0/5.0/en'
      : `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${part}`
  return `[${standard}](${address})`
}

/** An id to which reports lead. */
function anchored(id: string): string {
  return `<a id="${anchorOfRequirement(id)}"></a>${id}`
}

function linksTo(clauses: readonly string[]): string {
  return clauses.map((clause) => `[${clause}](specification.md#${anchorOf(clause)})`).join(', ')
}

function section(title: string, checks: readonly ListedCheck[]): string[] {
  if (checks.length === 0) return []
  const rows = checks.map(({ id, level, clauses, title: text, needs, mints = 0, catches }) => {
    const wants = [...new Set(needs.map((need) => needTexts[need].wants))]
    const cells = [
      anchored(id),
      level,
      linksTo(clauses) || '–',
      text,
      wants.join('; ') || '–',
      mints === 0 ? '–' : mints,
      Object.keys(catches).length,
    ]
    return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  })
  const head = [
    'id',
    'level',
    'clauses',
    title === titles.signaling
      ? 'signaling …'
      : `the ${title.toLowerCase().replace(/^the (?:whole )?/, '')} …`,
    'needs',
    'tokens issued',
    'broken variants',
  ]
  return [`## ${title}`, '', `| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows, '']
}
