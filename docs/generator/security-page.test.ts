import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = await readFile(join(root, 'docs/security.md'), 'utf8')
const threats = page
  .slice(page.indexOf('## Threats'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| threat'))

test('every threat is covered by tests that exist', () => {
  expect(threats.length).toBeGreaterThan(15)
  for (const threat of threats) {
    const files = [...threat.matchAll(/`([^`]+\.(?:test|docker)\.ts)`/g)].map(([, file = '']) => file)
    expect(files.length, threat).toBeGreaterThan(0)
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
  }
})

test('the commands that it names as proofs exist', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const named = [...threats.join('\n').matchAll(/`npm run (\w+)/g)]
  expect(named.length).toBeGreaterThan(0)
  for (const [command, script = ''] of named) expect(Object.keys(scripts), command).toContain(script)
})
