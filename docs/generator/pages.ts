import { writeFile } from 'node:fs/promises'
import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { configurationJsonSchema } from '../../src/configuration/json-schema.ts'
import { renderAddressed } from './address.ts'
import { renderConfigurationPage } from './configuration-page.ts'
import { loadLayers } from './layers.ts'
import { drawLayers } from './layers-picture.ts'
import { writeOwnWords } from './own-words.ts'
import { renderRequirementsPage } from './requirements-page.ts'
import { renderSpecificationPage } from './specification-page.ts'

/** The pages that are written from the sources, by their path; a test compares the committed files with them. */
export async function generatePages(): Promise<Readonly<Record<string, string>>> {
  const checks = await loadProvenCatalogue()
  return {
    ...(await renderAddressed()),
    'docs/configuration.md': renderConfigurationPage(configurationJsonSchema()),
    'docs/requirements.md': renderRequirementsPage(checks),
    'docs/specification.md': renderSpecificationPage(),
    'docs/images/layers.svg': drawLayers(await loadLayers()),
  }
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generatePages()))
    await writeFile(new URL(`../../${file}`, import.meta.url), text)
  await writeOwnWords()
}
