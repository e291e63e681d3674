import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resultsOf } from '../../reports/results.ts'
import { frozenRun, frozenText } from '../../reports/testing/frozen-run.ts'
import { diff } from './diff.ts'

async function place(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-diff-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const written = { stdout: '', stderr: '' }
  const printer = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text
    },
  })
  return {
    written,
    run: (form: 'text' | 'json' | 'markdown' = 'text') =>
      diff(
        {
          older: join(folder, 'old.json'),
          newer: join(folder, 'new.json'),
          json: form === 'json',
          markdown: form === 'markdown',
        },
        { stdout: printer('stdout'), stderr: printer('stderr') },
      ),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

/** The frozen run, with its first requirement broken and another mended. */
const later = JSON.stringify(
  resultsOf({
    ...frozenRun,
    startedAt: new Date('2026-11-22T09:00:00.000Z'),
    interrupted: false,
    checks: frozenRun.checks.map((check) => {
      if (check.id === 'MINT-01')
        return { ...check, verdict: 'fail' as const, reason: 'saw HTML; expected JSON' }
      return check.id === 'MINT-04' ? { ...check, verdict: 'pass' as const, findings: [] } : check
    }),
  }),
)

test('prints what changed, the worst first, and ends with 1 for a new violation', async () => {
  await using files = await place({ 'old.json': frozenText, 'new.json': later })
  expect(await files.run()).toBe(1)
  const lines = files.written.stdout.split('\n')
  expect(lines.filter((line) => /^\S.* \(\d+\)$/.test(line))).toEqual([
    'New violations (1)',
    'Fixed (1)',
    'Existing violations (1)',
    // The frozen run has observations that none of its requirements recorded.
    'Changed observations (3)',
  ])
  expect(lines).toContain('  MINT-01  pass → fail  the mint answers POST with JSON')
  expect(lines).toContain('    saw HTML; expected JSON')
  expect(lines).toContain('  MINT-04  fail → pass  the mint issues nothing without an API key')
  expect(files.written.stdout).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u)
})

test('prints one table for a pull request, what got worse first', async () => {
  await using files = await place({ 'old.json': frozenText, 'new.json': later })
  expect(await files.run('markdown')).toBe(1)
  const text = files.written.stdout
  expect(text).toContain('\n\n1 worse, 1 better\n\n')
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  expect(rows.slice(2)).toEqual([
    '| ❌ worse | **MINT-01** the mint answers POST with JSON | pass | fail | saw HTML; expected JSON |',
    '| ✅ better | **MINT-04** the mint issues nothing without an API key | fail | pass |  |',
  ])
  expect(text).toContain('Violated before and now: BACK-08.')
  expect(text).not.toMatch(/<script|@someone/)
})

test('says in markdown that nothing changed', async () => {
  await using files = await place({ 'old.json': frozenText, 'new.json': frozenText })
  expect(await files.run('markdown')).toBe(0)
  expect(files.written.stdout).toContain('No verdict changed.')
})

test('prints the same as JSON', async () => {
  await using files = await place({ 'old.json': frozenText, 'new.json': later })
  expect(await files.run('json')).toBe(1)
  expect(JSON.parse(files.written.stdout)).toMatchObject({
    tool: { name: 'twotoken' },
    new: { startedAt: '2026-11-22T09:00:00.000Z' },
    newFailures: [{ id: 'MINT-01', old: 'pass', new: 'fail' }],
    fixed: [{ id: 'MINT-04' }],
    stillFailing: [{ id: 'BACK-08' }],
  })
})

test('a run compared with itself has changed in nothing', async () => {
  const whole = JSON.stringify({ ...JSON.parse(later) })
  await using files = await place({ 'old.json': whole, 'new.json': whole })
  expect(await files.run()).toBe(0)
  expect(files.written.stdout).not.toContain('New violations')
})

test.each([
  ['an empty file', '', 'new.json is empty'],
  ['half a file', frozenText.slice(0, 900), 'new.json is truncated'],
])('%s is one sentence and exit code 2', async (_, text, sentence) => {
  await using files = await place({ 'old.json': frozenText, 'new.json': text })
  await expect(files.run()).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(sentence),
  })
  expect(files.written.stdout).toBe('')
})

test('shows no secret of a result file', async () => {
  const leaking = later.replace('saw HTML', 'saw ac_live_4f9aB27cD1e80GhT55kLmN')
  await using files = await place({ 'old.json': frozenText, 'new.json': leaking })
  await expect(files.run()).rejects.toMatchObject({ code: 'secret-in-output' })
  expect(files.written.stdout).toBe('')
})
