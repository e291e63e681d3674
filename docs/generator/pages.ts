import { writeFile } from 'node:fs/promises'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { configurationJsonSchema } from '../../src/configuration/json-schema.ts'
import { configurationPage } from './configuration-page.ts'
import { requirementsPage } from './requirements-page.ts'

/** The pages that are written from the sources, by their place; a test holds the committed files to them. */
export async function generatedPages(): Promise<Readonly<Record<string, string>>> {
  return {
    'docs/configuration.md': configurationPage(configurationJsonSchema()),
    'docs/requirements.md': requirementsPage(await loadCatalogue()),
  }
}

if (import.meta.main)
  for (const [file, text] of Object.entries(await generatedPages()))
    await writeFile(new URL(`../../${file}`, import.meta.url), text)
