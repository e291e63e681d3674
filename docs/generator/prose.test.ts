import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ruleTexts } from '../../audit/src/model/rules.ts'
import { runToEnd } from '../../fixtures/package/testing/run-to-end.ts'
import { loadProvenCatalogue } from '../../src/catalogue/load-requirements.ts'
import { configurationTemplate } from '../../src/cli/init/backend-files.ts'
import { main } from '../../src/cli/testing/run-command.ts'
import { outcomeSentence, verdictTitles } from '../../src/reports/describe-results.ts'
import { needTexts } from '../../src/requirement/needs.ts'
import { fenced } from './dead-links.ts'

/** Turns of phrase that no text for users contains, and what to write instead. */
const bannedTurns = [
  { turn: /\b(?:some|any)body\b/i, instead: 'any user, another user, any client' },
  { turn: /\bnobody\b/i, instead: 'no user, no client' },
  { turn: /\bwhoever\b/i, instead: 'any party that …' },
  { turn: /\bstrangers?\b/i, instead: 'an unauthenticated client, an untrusted signer' },
  { turn: /\b(?:is|are|was|were) seen to\b/i, instead: 'records …' },
  { turn: /\bin some way\b/i, instead: 'the behaviour itself' },
  { turn: /\btreat(?:s|ed)?\b/i, instead: 'handles, records handling of …' },
  { turn: /\bpass(?:es|ed)? (?:it |them )?on\b/i, instead: 'forwards' },
  { turn: /\b(?:hands|handed) (?:it )?out\b/i, instead: 'returns, issues' },
  { turn: /\b(?:get|gets|got) in\b/i, instead: 'connects, is accepted' },
  { turn: /\b(?:let|lets) (?:\w+ )?in\b/i, instead: 'accepts' },
  { turn: /\bis there\b/i, instead: 'exists, is configured' },
  { turn: /\bstands?\b/i, instead: 'appears, is' },
  { turn: /\bthat (?:holds|hold|does not hold|do not hold)\b/i, instead: 'valid, invalid' },
  { turn: /\bstill holds\b/i, instead: 'is still valid' },
  { turn: /\b(?:becomes|became) of\b/i, instead: 'happens to' },
  // The key backend.sessions.odd is a name.
  { turn: /(?<!sessions\.|#)\bodd\b/i, instead: 'malformed, out-of-range' },
  { turn: /\bon its own way\b/i, instead: 'on its permitted hop' },
]

/** Each banned turn in the text, as "…": write …. */
function bannedTurnsIn(text: string): string[] {
  return bannedTurns.flatMap(({ turn, instead }) => {
    const found = turn.exec(text)
    return found === null ? [] : [`"${found[0]}": write ${instead}`]
  })
}

const inlineCode = /(?<!`)`[^`]+`(?!`)/g
const linkTarget = /\]\([^)]*\)/g

/** A page's paragraphs, table rows and list items without code, each as one line, so that a wrapped phrase is found. */
function findProse(page: string): string[] {
  return page
    .replace(fenced, '')
    .replace(inlineCode, '`…`')
    .replace(linkTarget, ']')
    .split(/\n{2,}|\n(?=\s*(?:[-|#]|\d+\.))/)
    .map((block) => block.replace(/\s+/g, ' ').trim())
    .filter((block) => block !== '')
}

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
