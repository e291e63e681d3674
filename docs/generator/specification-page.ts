import { type Clause, specification } from '../../src/catalogue/specification.ts'
import { anchorOf } from '../../src/reports/addresses.ts'
import type { AnyCheck } from '../../src/requirement/define.ts'

/** `docs/specification.md`: each clause, with the requirements that rest on it. */
export function renderSpecificationPage(checks: readonly AnyCheck[]): string {
  return [
    '# The two-token calling flow',
    '',
    'The specification that twotoken tests, retold clause by clause. Requirements and findings cite these numbers. Where a clause',
    'says **open**, implementations differ, and the suite learns from yours or records how it behaves. `npm run docs` writes this page.',
    '',
    ...specification.flatMap((clause) => [...renderClause(clause), ...pinnedBy(clause, checks)]),
  ].join('\n')
}

function renderClause({ id, title, text }: Clause): string[] {
  const anchor = `<a id="${anchorOf(id)}"></a>`
  if (title === undefined) return [`${anchor}**${id}** ${text}`, '']
  const depth = '#'.repeat(id.split('.').length + 1)
  return [anchor, '', `${depth} ${id} ${title}`, '', text, '']
}

function pinnedBy({ id }: Clause, checks: readonly AnyCheck[]): string[] {
  const ids = checks.filter(({ clauses }) => clauses.includes(id)).map((check) => check.id)
  return ids.length === 0 ? [] : [`Tested by ${ids.join(', ')}.`, '']
}
