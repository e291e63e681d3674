import { readFile, writeFile } from 'node:fs/promises'
import { loadProvenCatalogue, type ProvenCheck } from '../../src/catalogue/load-requirements.ts'
import { configurationJsonSchema } from '../../src/configuration/json-schema.ts'
import { renderAddressed } from './address.ts'
import { renderConfigurationPage } from './configuration-page.ts'
import { type Layer, loadLayers } from './layers.ts'
import { writeOwnWords } from './own-words.ts'
import { renderRequirementsPage } from './requirements-page.ts'

/** The pages that are written from the sources, by their path; a test compares the committed files with them. */
export async function generatePages(): Promise<Readonly<Record<string, string>>> {
  const checks = await loadProvenCatalogue()
  return {
    ...(await renderAddressed()),
    'README.md': await renderFigures(checks),
    'schema/twotoken.schema.json': `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`,
    'docs/configuration.md': renderConfigurationPage(configurationJsonSchema()),
    'docs/requirements.md': renderRequirementsPage(checks),
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

const width = 960
const margin = 24
const gap = 12
const rowHeight = 58
const rowGap = 16
const font = 'system-ui, -apple-system, Segoe UI, sans-serif'

/** The declared order as an SVG: a row for each layer, the highest first, a box for each room. */
function drawLayers(layers: readonly Layer[]): string {
  const height = 2 * margin + layers.length * (rowHeight + rowGap) - rowGap + 28
  const rows = layers.map((layer, index) => drawRow(layer, margin + index * (rowHeight + rowGap)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title" font-family="${font}">`,
    '<title id="title">The layers of the source code, the highest first</title>',
    '<style>.room{fill:#f6f8fa;stroke:#8c959f}.folder{fill:#1f2328;font-weight:600;font-size:14px}.holds{fill:#59636e;font-size:12px}.page{fill:#fff}@media (prefers-color-scheme:dark){.page{fill:#0d1117}.room{fill:#151b23;stroke:#656c76}.folder{fill:#f0f6fc}.holds{fill:#9198a1}}</style>',
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...rows.flat(),
    `<text class="holds" x="${width / 2}" y="${height - margin + 4}" text-anchor="middle">A room imports only from the rows below its own, types included.</text>`,
    '</svg>',
    '',
  ].join('\n')
}

function drawRow({ rooms }: Layer, top: number): string[] {
  const each = (width - 2 * margin - (rooms.length - 1) * gap) / rooms.length
  return rooms.flatMap(({ folder, holds }, index) => {
    const left = margin + index * (each + gap)
    const center = round(left + each / 2)
    return [
      `<rect class="room" x="${round(left)}" y="${top}" width="${round(each)}" height="${rowHeight}" rx="6"/>`,
      `<text class="folder" x="${center}" y="${top + 25}" text-anchor="middle">${folder}</text>`,
      `<text class="holds" x="${center}" y="${top + 44}" text-anchor="middle">${holds}</text>`,
    ]
  })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generatePages()))
    await writeFile(new URL(`../../${file}`, import.meta.url), text)
  await writeOwnWords()
}
