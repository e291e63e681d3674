import { readFile, writeFile } from 'node:fs/promises'
import { loadProvenCatalogue, type ProvenCheck } from '../../src/catalogue/load-requirements.ts'
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
    'README.md': await renderFigures(checks),
    'schema/twotoken.schema.json': `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`,
    'docs/configuration.md': renderConfigurationPage(configurationJsonSchema()),
    'docs/requirements.md': renderRequirementsPage(checks),
    'docs/specification.md': renderSpecificationPage(),
    'docs/images/layers.svg': drawLayers(await loadLayers()),
  }
}

/** The README with the figures of the catalogue. */
async function renderFigures(checks: readonly ProvenCheck[]): Promise<string> {
  const broken = checks.reduce((sum, { catches }) => sum + Object.keys(catches).length, 0)
  const text = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  return text.replace(
    /The \d+ requirements name \d+ broken/,
    `The ${checks.length} requirements name ${broken} broken`,
  )
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generatePages()))
    await writeFile(new URL(`../../${file}`, import.meta.url), text)
  await writeOwnWords()
}
