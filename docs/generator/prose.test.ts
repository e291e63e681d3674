import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bannedTurnsIn } from './banned-turns.ts'
import { findProse } from './prose.ts'

const root = join(import.meta.dirname, '../..')
const files = (await readdir(join(root, 'docs'))).filter((file) => file.endsWith('.md'))
const pages = ['README.md', ...files.map((file) => `docs/${file}`)]

/** Every banned turn of a page, behind the start of the paragraph that contains it. */
function faultsOf(page: string): string[] {
  return findProse(page).flatMap((block) =>
    bannedTurnsIn(block).map((fault) => `${block.slice(0, 60)}: ${fault}`),
  )
}

test.each(pages)('%s contains no banned turn', async (page) => {
  expect(faultsOf(await readFile(join(root, page), 'utf8'))).toEqual([])
})

test('the check is red on prose, also where a line wraps', () => {
  const page = ['# A page', '', 'The mint treats a key', 'and passes it', 'on.', '- nobody signs in'].join(
    '\n',
  )
  expect(faultsOf(page)).toEqual([
    'The mint treats a key and passes it on.: "treats": write handles, records handling of …',
    'The mint treats a key and passes it on.: "passes it on": write forwards',
    '- nobody signs in: "nobody": write no user, no client',
  ])
})

test('the check leaves code and the targets of links out', () => {
  const page = ['Run `nobody` or', '```sh', 'nobody # stands', '```', '[this](nobody.md).'].join('\n')
  expect(faultsOf(page)).toEqual([])
})
