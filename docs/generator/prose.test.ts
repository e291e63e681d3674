import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ruleTexts } from '../../audit/src/model/rules.ts'
import { runToEnd } from '../../fixtures/package/testing/run-to-end.ts'
import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { configurationTemplate } from '../../src/cli/init/template.ts'
import { main } from '../../src/cli/testing/run-command.ts'
import { outcomeSentence, verdictTitles } from '../../src/reports/describe-results.ts'
import { needTexts } from '../../src/requirement/needs.ts'
import { bannedTurnsIn } from './banned-turns.ts'
import { findProse } from './prose.ts'

const root = join(import.meta.dirname, '../..')
const mostWords = 10
const catalogue = await loadProvenCatalogue()
const files = [
  ...(await readdir(join(root, 'docs'))),
  ...(await readdir(join(root, 'docs/fixes'))).map((file) => `fixes/${file}`),
]
const pages = ['README.md', ...files.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)]

/** The help of a command; a line break of it may fall within a turn. */
const helpOf = async (...command: string[]) =>
  (await runToEnd(process.execPath, [main, ...command, '--help'])).stdout

const help = await helpOf()
const commands = [...help.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name = '']) => name)
const outcomes = ['conformant', 'nonconformant', 'incomplete', 'error'] as const
const texts: readonly (readonly [string, readonly string[]])[] = [
  ...(await Promise.all(
    pages.map(async (page) => [page, findProse(await readFile(join(root, page), 'utf8'))] as const),
  )),
  ...catalogue.map(
    ({ id, title, why, how, catches }) =>
      [id, [title, why, ...Object.values(how).flat(), ...Object.keys(catches)]] as const,
  ),
  ...(await Promise.all(
    commands.map(async (name) => [`${name} --help`, [(await helpOf(name)).replaceAll(/\s+/g, ' ')]] as const),
  )),
  ['--help', [help.replaceAll(/\s+/g, ' ')]],
  ['needs', Object.values(needTexts).map(({ wants }) => wants)],
  ['rules of the audit', Object.values(ruleTexts).map(({ title, advice }) => `${title}. ${advice}`)],
  ['verdicts', Object.values(verdictTitles)],
  ['outcomes', outcomes.map((outcome) => outcomeSentence({ outcome, checks: [] }))],
  ['the template of init', [configurationTemplate]],
]

test.each(texts)('%s contains no banned turn', (_, said) => {
  expect(said.length).toBeGreaterThan(0)
  expect(
    said.flatMap((text) => bannedTurnsIn(text).map((fault) => `${text.slice(0, 60)}: ${fault}`)),
  ).toEqual([])
})

test('the help of every command is read', () => {
  expect(commands).toEqual(expect.arrayContaining(['run', 'verify', 'audit', 'doctor', 'detect', 'report']))
})

test.each(catalogue.map(({ id, title, level }) => [id, title, level] as const))(
  '%s completes "the mint …": %s',
  (_, title, level) => {
    expect(title.split(/\s+/).length).toBeLessThanOrEqual(mostWords)
    expect(title).toMatch(/^(?:never )?[a-z]+s\b.*[^.!]$/)
    expect(title.startsWith('records ')).toBe(level === 'INFO')
  },
)

test('no two requirements of a role share a title', () => {
  const titles = catalogue.map(({ role, title }) => `${role} ${title}`)
  expect(new Set(titles).size).toBe(titles.length)
})
