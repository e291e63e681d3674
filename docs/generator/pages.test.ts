import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMask } from '../../src/base/evidence/mask.ts'
import { errorBodies } from '../../src/base/evidence/testing/error-bodies.ts'
import { generatePages } from './pages.ts'

const pages = await generatePages()

test.each(Object.entries(pages))('%s is up to date (npm run docs writes it)', async (file, text) => {
  expect(await readFile(join(import.meta.dirname, '../..', file), 'utf8')).toBe(text)
})

test('docs/reports.md shows an answer as reports do', async () => {
  const page = await readFile(new URL('../reports.md', import.meta.url), 'utf8')
  const mask = createMask({ fingerprintKey: 'an example' })
  const shown = errorBodies.filter(({ server, body }) =>
    page.includes(`${server}:\n\n\`\`\`text\n${body}\n\`\`\`\n\n\`\`\`text\n${mask.text(body)}\n\`\`\`\n`),
  )
  expect(shown).toHaveLength(1)
})

const root = join(import.meta.dirname, '../..')
const page = await readFile(join(root, 'docs/security.md'), 'utf8')
const threats = page.slice(page.indexOf('## Threats')).split(/^- /m).slice(1)

test('every threat is covered by tests that exist', () => {
  expect(threats.length).toBeGreaterThan(15)
  for (const threat of threats) {
    const files = [...threat.matchAll(/`([^`]+\.(?:test|docker)\.ts)`/g)].map(([, file = '']) => file)
    expect(files.length, threat).toBeGreaterThan(0)
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
  }
})
