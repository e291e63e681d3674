import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ruleTexts } from '../../audit/src/model/rules.ts'
import { configurationTemplate } from '../../src/cli/init/template.ts'
import { outcomeSentence, verdictTitles } from '../../src/reports/describe-results.ts'
import { needTexts } from '../../src/requirement/needs.ts'
import { bannedTurnsIn } from './banned-turns.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')

function helpOf(...command: string[]): Promise<string> {
  return new Promise((done) => {
    execFile(process.execPath, [main, ...command, '--help'], (_, stdout) => done(stdout))
  })
}

const help = await helpOf()
const commands = [...help.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name = '']) => name)
const texts: readonly (readonly [string, string])[] = [
  ['--help', help],
  ...(await Promise.all(commands.map(async (name) => [`${name} --help`, await helpOf(name)] as const))),
  ...Object.entries(needTexts).map(([need, { wants }]) => [`need ${need}`, wants] as const),
  ...Object.entries(ruleTexts).map(([rule, { title, advice }]) => [rule, `${title}. ${advice}`] as const),
  ...Object.entries(verdictTitles).map(([verdict, title]) => [`group ${verdict}`, title] as const),
  ...(['conformant', 'nonconformant', 'incomplete', 'error'] as const).map(
    (outcome) => [`outcome ${outcome}`, outcomeSentence({ outcome, checks: [] })] as const,
  ),
  ['the template of init', configurationTemplate],
]

test('the help of every command is read', () => {
  expect(commands).toEqual(expect.arrayContaining(['run', 'verify', 'audit', 'doctor', 'detect', 'report']))
})

describe('no banned turn', () => {
  test.each(texts)('in %s', (_, text) => {
    // A line break of the help may fall within a turn.
    expect(bannedTurnsIn(text.replaceAll(/\s+/g, ' '))).toEqual([])
  })
})
