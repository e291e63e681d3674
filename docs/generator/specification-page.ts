import { type Clause, specification } from '../../src/catalogue/specification.ts'
import { anchorOf } from '../../src/reports/addresses.ts'

/** `docs/specification.md`: each clause. */
export function renderSpecificationPage(): string {
  return [
    '# The two-token calling flow',
    '',
    'twotoken tests this specification, retold here clause by clause. Findings and the [requirements](requirements.md) cite these',
    'numbers. Implementations differ in clauses marked **open**: the suite records them. `npm run docs` writes this page.',
    '',
    ...specification.flatMap(renderClause),
  ].join('\n')
}

function renderClause({ id, title, text }: Clause): string[] {
  const anchor = `<a id="${anchorOf(id)}"></a>`
  if (title === undefined) return [`${anchor}**${id}** ${text}`, '']
  const depth = '#'.repeat(id.split('.').length + 1)
  return [anchor, '', `${depth} ${id} ${title}`, '', text, '']
}
