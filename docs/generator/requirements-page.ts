import type { ListedCheck } from '../../src/catalogue/described.ts'
import { anchorOf, anchorOfRequirement } from '../../src/reports/addresses.ts'
import { type Role, roles } from '../../src/requirement/define.ts'
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
    `The proof of these ${checks.length} requirements has ${broken} broken variants. \`npx twotoken explain ID\` prints the reason, the fix, the`,
    'method and the sentence of the specification. A broken MUST is a violation. A broken SHOULD, TYPICAL (a status that the',
    'specification calls typical) or ADVISORY (security advice beyond it) is a warning. INFO records. `callingTokens` come from the mint or the',
    'backend, and `expiry` is time to wait until a token expires. `npm run docs` writes this page.',
    '',
    ...roles.flatMap((role) =>
      section(
        titles[role],
        checks.filter((check) => check.role === role),
      ),
    ),
  ].join('\n')
}

function section(title: string, checks: readonly ListedCheck[]): string[] {
  if (checks.length === 0) return []
  const common = new Set(checks[0]?.needs.filter((need) => checks.every(({ needs }) => needs.includes(need))))
  const namesOf = (needs: ListedCheck['needs']) => [
    ...new Set(needs.map((need) => /^[a-z]+\.[\w.]+/.exec(needTexts[need].wants)?.[0] ?? need)),
  ]
  const rows = checks.map(({ id, level, clauses, title: text, needs }) => {
    const links = clauses.map((clause) => `[${clause}](specification.md#${anchorOf(clause)})`)
    const own = namesOf(needs.filter((need) => !common.has(need)))
    const cells = [
      `<a id="${anchorOfRequirement(id)}"></a>${id}`,
      text,
      level,
      links.join(', '),
      own.join('; '),
    ]
    return `|${cells.join('|')}|`
  })
  return [
    `## ${title}`,
    '',
    ...(common.size === 0 ? [] : [`Each needs \`${namesOf([...common]).join('`, `')}\`.`, '']),
    '|id|title|level|clause|needs|',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ]
}
