import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generatePages } from './pages.ts'

const pages = await generatePages()

test.each(Object.entries(pages))('%s is up to date (npm run docs writes it)', async (file, text) => {
  expect(await readFile(join(import.meta.dirname, '../..', file), 'utf8')).toBe(text)
})

test('the configuration page names keys of every depth', () => {
  for (const key of ['mint.url', 'profile.carriage.in', 'sessions.alice.userId', 'requestSeconds'])
    expect(pages['docs/configuration.md']).toContain(`\`${key.replace(/^mint\./, '')}\``)
})
