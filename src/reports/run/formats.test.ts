import { expect, test } from 'vitest'
import { z } from 'zod'
import { frozenRun } from '../testing/frozen-run.ts'
import { renderCtrf } from './ctrf.ts'
import { renderGithub } from './github.ts'
import { renderMarkdown } from './markdown.ts'

const whole = z.int()
/** The rules of CTRF 0.0 for the fields that the report writes; it allows no others. */
const ctrf = z.strictObject({
  reportFormat: z.literal('CTRF'),
  specVersion: z.string().regex(/^\d+\.\d+\.\d+$/),
  timestamp: z.iso.datetime(),
  generatedBy: z.string(),
  results: z.strictObject({
    tool: z.strictObject({ name: z.string(), version: z.string() }),
    summary: z.record(
      z.enum('tests passed failed skipped pending other start stop duration'.split(' ')),
      whole,
    ),
    tests: z.array(
      z.strictObject({
        testId: z.string(),
        name: z.string(),
        status: z.enum(['passed', 'failed', 'skipped', 'pending', 'other']),
        rawStatus: z.string(),
        duration: whole,
        suite: z.array(z.string()),
        tags: z.array(z.string()),
        message: z.string().exactOptional(),
      }),
    ),
    environment: z.strictObject({ reportName: z.string(), extra: z.record(z.string(), z.unknown()) }),
  }),
})

const { results } = ctrf.parse(JSON.parse(renderCtrf(frozenRun)))

test('carries id, title, verdict, duration, suite and messages', () => {
  const failed = frozenRun.checks.find(({ verdict }) => verdict === 'fail')
  expect(results.tests.find(({ testId }) => testId === failed?.id)).toMatchObject({
    name: `${failed?.id} ${failed?.title}`,
    status: 'failed',
    rawStatus: 'fail',
    suite: [failed?.role],
    message: expect.stringContaining(failed?.findings[0]?.message ?? 'no finding'),
  })
  const warned = { status: 'passed', message: expect.any(String) }
  expect(results.tests.find(({ rawStatus }) => rawStatus === 'warn')).toMatchObject(warned)
})

const lines = renderGithub(frozenRun).trimEnd().split('\n')

test('every line is one workflow command, whatever a peer sent', () => {
  expect(lines.length).toBeGreaterThan(6)
  for (const line of lines)
    expect(line).toMatch(/^::(error|warning|notice) file=my config.yaml,title=[^,:]+::.+$/)
})

test('a violation is an error, a warning a warning, what was not judged a notice; nothing else is said', () => {
  const count = (command: string) => lines.filter((line) => line.startsWith(`::${command} `)).length
  expect(['error', 'warning', 'notice'].map(count)).toEqual([3, 2, 3])
  expect(lines.some((line) => line.includes('MINT-01') || line.includes('MINT-20'))).toBe(false)
})

test('says what was seen and expected, under the requirement and its clause', () => {
  const [first = ''] = lines
  expect(first).toMatch(
    /^::error file=my config.yaml,title=MINT-04 the mint issues nothing without an API key::saw .+; expected .+\(clause 2\.2\)$/,
  )
})

const [check] = frozenRun.checks.filter(({ id }) => id === 'MINT-04')
const [finding] = check?.findings ?? []
if (check === undefined || finding?.seen === undefined) throw new Error('the frozen run has no such finding')

test('escapes what would end a command', () => {
  const hostile = { ...check, findings: [{ ...finding, message: 'saw 100%\r\n::error::x; expected y' }] }
  expect(renderGithub({ ...frozenRun, checks: [hostile] })).toContain(
    '::saw 100%25%0A: :error::x; expected y (',
  )
})

test('names the violation before the advice of the same requirement, and similar cases once', () => {
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

const text = renderMarkdown(frozenRun)
const shown = text.split('\n')

test('begins with the outcome and the counts', () => {
  expect(shown[0]).toBe('# acme \\<staging\\> &amp; co: nonconformant')
  const [names = '', , counted = ''] = shown.filter((line) => line.startsWith('|'))
  const cells = (line: string) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1)
  const counts = Object.fromEntries(cells(names).map((name, at) => [name, Number(cells(counted)[at])]))
  expect(counts).toEqual(frozenRun.summary)
})

test('has a heading per requirement that is not as it should be, by verdict', () => {
  expect(shown.filter((line) => line.startsWith('## ') || line.startsWith('### '))).toEqual([
    '## Violations',
    '### MINT-04: the mint issues nothing without an API key',
    '### BACK-08: the backend keeps the key from the client',
    '## Errors',
    '### BACK-01: the backend answers a session with a token',
    '## Warnings',
    '### MINT-04: the mint issues nothing without an API key',
    '### BACK-14: the backend hands out tokens that live for minutes',
    '### SIG-08: signaling reports a refusal as 401',
    '## Not judged',
    '## Not applicable',
    '## Implementation-defined behaviour',
  ])
})

test('gathers what was not judged under its reason', () => {
  expect(shown).toContain("- SIG-22, SIG-25: needs token.jwks, the service's published keys")
})
