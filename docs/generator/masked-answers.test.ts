import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createMask } from '../../src/base/evidence/mask/mask.ts'
import { errorBodies } from '../../src/base/evidence/mask/testing/error-bodies.ts'

test('docs/reports.md shows ten answers as reports do', async () => {
  const page = await readFile(new URL('../reports.md', import.meta.url), 'utf8')
  const mask = createMask({ fingerprintKey: 'an example' })
  const shown = errorBodies.filter(({ server, body }) =>
    page.includes(`${server}:\n\n\`\`\`text\n${body}\n\`\`\`\n\n\`\`\`text\n${mask.text(body)}\n\`\`\`\n`),
  )
  expect(shown).toHaveLength(10)
})
