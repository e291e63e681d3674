import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCommands } from './documented-commands.ts'

const root = join(import.meta.dirname, '../..')
const pages = [
  'README.md',
  ...(await readdir(join(root, 'docs'))).filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`),
]
const commands = (
  await Promise.all(pages.map(async (page) => findCommands(page, await readFile(join(root, page), 'utf8'))))
).flat()

function helpOf(command: string): Promise<string> {
  return new Promise((done) => {
    execFile(process.execPath, [join(root, 'src/cli/main.ts'), command, '--help'], (_, stdout) =>
      done(stdout),
    )
  })
}

const used = [
  ...new Set(commands.flatMap(({ words: [program, name = ''] }) => (program === 'twotoken' ? [name] : []))),
]
const helps = new Map(await Promise.all(used.map(async (name) => [name, await helpOf(name)] as const)))
const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

test('the pages show commands', () => {
  expect(commands.length).toBeGreaterThan(30)
  expect(used.length).toBeGreaterThan(8)
})

test.each(commands.map((command) => [command.words.join(' '), command] as const))(
  '%s is a command, and takes these options',
  (_, { page, line, words }) => {
    const [program, name = '', ...rest] = words
    const place = `${page}:${line}`
    if (program === 'npm') {
      expect(Object.keys(scripts), place).toContain(rest[0])
      return
    }
    const help = helps.get(name) ?? ''
    expect(help, place).toContain(`Usage: twotoken ${name}`)
    const options = rest.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split('=')[0])
    for (const option of options) expect(help, place).toMatch(new RegExp(`${option}(?![\\w-])`))
  },
)

test('a command is found where a reader sees one', () => {
  const text = [
    'Try `npx twotoken list` or `twotoken.yaml`.',
    '```sh',
    'npx twotoken run --config "my file.yaml" # judges',
    'npm ci && npm run proof -- MINT-04',
    '```',
    '```yaml',
    'npx twotoken nothing',
    '```',
  ].join('\n')
  expect(findCommands('page', text).map(({ line, words }) => [line, ...words])).toEqual([
    [1, 'twotoken', 'list'],
    [3, 'twotoken', 'run', '--config', 'my file.yaml'],
    [4, 'npm', 'run', 'proof', '--', 'MINT-04'],
  ])
})
