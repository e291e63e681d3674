import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../../src/base/temp-folder.ts'

const root = join(import.meta.dirname, '../..')
const biome = join(root, 'node_modules/.bin/biome')

/** The lines of a source to which the linter says that a search may never return. */
async function linesRefused(lines: readonly string[]): Promise<number[]> {
  await using folder = await openTempFolder()
  const plugins = [join(root, 'search-without-encoding.grit')]
  await writeFile(join(folder.path, 'biome.json'), JSON.stringify({ plugins }))
  await writeFile(join(folder.path, 'a.js'), lines.join('\n'))
  const output = await new Promise<string>((resolve) => {
    execFile(biome, ['lint', '--colors=off', 'a.js'], { cwd: folder.path }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
  expect(output).toContain('Checked 1 file')
  return [...output.matchAll(/^a\.js:(\d+):\d+ plugin/gm)].map(([, line]) => Number(line))
}

test('the linter refuses a search with an encoding, and no other', async () => {
  const refused = [
    "bytes.includes(text, 0, 'utf16le')",
    "bytes.indexOf(text, 'utf16le')",
    'bytes.lastIndexOf(text, 8, encoding)',
    "bytes?.includes(text, 0, 'latin1')",
  ]
  const accepted = [
    "bytes.includes(Buffer.from(text, 'utf16le'), 4)",
    'text.indexOf(other)',
    "list.includes('a')",
  ]
  expect(await linesRefused([...refused, ...accepted])).toEqual([1, 2, 3, 4])
})
