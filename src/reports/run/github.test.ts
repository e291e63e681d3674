import { expect, test } from 'vitest'
import { frozenRun } from '../testing/frozen-run.ts'
import { renderGithub } from './github.ts'

const lines = renderGithub(frozenRun).trimEnd().split('\n')

test('every line is one workflow command, whatever a peer sent', () => {
  expect(lines.length).toBeGreaterThan(6)
  for (const line of lines)
    expect(line).toMatch(/^::(error|warning|notice) file=my config.yaml,title=[^,:]+::.+$/)
})

test('a requirement is one annotation, with all that was found', () => {
  const titles = lines.map((line) => /title=(\S+)/.exec(line)?.[1])
  expect(new Set(titles).size).toBe(titles.length)
  expect(lines.find((line) => line.includes('title=MINT-04'))).toContain('%0Asaw 200; ')
})

test('a violation is an error, a warning a warning, what was not judged a notice; nothing else is said', () => {
  const count = (command: string) => lines.filter((line) => line.startsWith(`::${command} `)).length
  expect({ error: count('error'), warning: count('warning'), notice: count('notice') }).toEqual({
    error: 3,
    warning: 2,
    notice: 3,
  })
  expect(lines.some((line) => line.includes('MINT-01') || line.includes('MINT-20'))).toBe(false)
})

test('says what was seen and expected, under the requirement and its clause', () => {
  const [first = ''] = lines
  expect(first).toMatch(
    /^::error file=my config.yaml,title=MINT-04 the mint issues nothing without an API key::saw .+; expected .+\(clause 2\.2\)$/,
  )
})

test('escapes what would end a command', () => {
  const [check] = frozenRun.checks.filter(({ id }) => id === 'MINT-04')
  const [finding] = check?.findings ?? []
  if (check === undefined || finding === undefined) throw new Error('the frozen run has no such finding')
  const hostile = { ...check, findings: [{ ...finding, message: 'saw 100%\r\n::error::x; expected y' }] }
  expect(renderGithub({ ...frozenRun, checks: [hostile] })).toContain(
    '::saw 100%25%0A: :error::x; expected y (',
  )
})

test('names the violation before the advice of the same requirement, and similar cases once', () => {
  const [check] = frozenRun.checks.filter(({ id }) => id === 'MINT-04')
  const [finding] = check?.findings ?? []
  if (check === undefined || finding?.seen === undefined)
    throw new Error('the frozen run has no such finding')
  const advice = ['answers 401', 'answers 402'].map((name) => ({
    ...finding,
    verdict: 'warn' as const,
    level: 'SHOULD' as const,
    message: `saw it forwarded when the mint ${name}`,
    case: name,
  }))
  const text = renderGithub({ ...frozenRun, checks: [{ ...check, findings: [...advice, finding] }] })
  const [violation = '', warning = ''] = text.split('::')[2]?.split('%0A') ?? []
  expect(violation).toBe(finding.message)
  expect(warning).toContain('when the mint answers 401 (also: answers 402)')
})
