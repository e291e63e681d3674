import { writeFileSync } from 'node:fs'
import { invariants } from '../explore/invariants.ts'
import type { DescribedCatalogue } from './described.ts'
import { loadProvenCatalogue } from './load-requirements.ts'

export async function describeCatalogue(): Promise<DescribedCatalogue> {
  const checks = (await loadProvenCatalogue()).map(({ run: _, catches, ...check }) => ({
    ...check,
    catches: Object.fromEntries(Object.entries(catches).map(([name, { as = 'fail' }]) => [name, { as }])),
  }))
  return { checks, invariants }
}

if (import.meta.main) writeFileSync('dist/catalogue.json', JSON.stringify(await describeCatalogue()))
