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
  const [program = '', ...names] = command.split(' ')
  const main = join(root, program === 'twotoken-audit' ? 'src/cli/audit-main.ts' : 'src/cli/main.ts')
  return new Promise((done) => {
    execFile(process.execPath, [main, ...names, '--help'], (_, stdout) => done(stdout))
  })
}

/** Returns the name of a command in its help: `twotoken run`, or `twotoken-audit`. */
const nameOf = ([program = '', name = '']: readonly string[]) =>
  program === 'twotoken' ? `${program} ${name}` : program

const used = [...new Set(commands.map(({ words }) => nameOf(words)))].filter((name) => name !== 'npm')
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
    const [program, , ...rest] = words
    const place = `${page}:${line}`
    if (program === 'npm') {
      expect(Object.keys(scripts), place).toContain(rest[0])
      return
    }
    const help = helps.get(nameOf(words)) ?? ''
    expect(help, place).toContain(`Usage: ${nameOf(words)} `)
    const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split('=')[0])
    for (const option of options) expect(help, place).toMatch(new RegExp(`${option}(?![\\w-])`))
  },
)
