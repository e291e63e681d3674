import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTempFolder } from '../../base/temp-folder.ts'
import type { Verdict } from '../../base/verdict.ts'
import { frozenRun, frozenText } from '../testing/frozen-run.ts'
import { everyElement, parseXml } from '../testing/parse-xml.ts'
import { buildHistory, listLastChanges, type Night } from './history.ts'
import { renderHistoryHtml } from './html.ts'
import { renderOpenMetrics } from './openmetrics.ts'
import { findResults, readNights } from './read-nights.ts'

const dayOf = (index: number) => `2026-11-${String(index + 1).padStart(2, '0')}T03:00:00.000Z`

/** One run a day, with a verdict for each requirement. */
function nights(target: string, byId: Readonly<Record<string, string>>): Night[] {
  const letters: Readonly<Record<string, Verdict>> = { p: 'pass', f: 'fail', u: 'untested', w: 'warn' }
  return Array.from({ length: Object.values(byId)[0]?.length ?? 0 }, (_, index) => {
    const checks = Object.entries(byId).flatMap(([id, line]) => {
      const verdict = letters[line[index] ?? '']
      return verdict === undefined ? [] : [{ id, title: `requires <${id}>`, level: 'MUST', verdict }]
    })
    return {
      file: `${target}/${index}/results.json`,
      tool: { version: '1.0.0' },
      target,
      config: 'twotoken.yaml',
      startedAt: dayOf(index),
      durationMs: 1500,
      outcome: checks.some(({ verdict }) => verdict === 'fail') ? 'nonconformant' : 'conformant',
      checks,
    }
  })
}

describe('a requirement over time', () => {
  test.each([
    ['pppp', { firstSeen: null, failingSince: null, fixedOn: null, changes: 0, isFlaky: false }],
    ['ppff', { firstSeen: dayOf(2), failingSince: dayOf(2), fixedOn: null, changes: 1 }],
    ['fufw', { firstSeen: dayOf(0), failingSince: null, fixedOn: dayOf(3), changes: 1, isFlaky: false }],
    ['pfpf', { firstSeen: dayOf(1), failingSince: dayOf(3), fixedOn: null, changes: 3, isFlaky: true }],
    // A run that did not judge it has not fixed it.
    ['ppfu', { failingSince: dayOf(2), fixedOn: null, changes: 1 }],
    ['pf.f', { failingSince: dayOf(1), changes: 1 }],
  ])('with the verdicts %s', (line, expected) => {
    const { targets } = buildHistory(nights('acme', { 'MINT-01': line }).toReversed(), [])
    expect(targets[0]?.requirements).toMatchObject([{ id: 'MINT-01', ...expected }])
  })
})

test('lists the changes of the last run of each target, new violations first', () => {
  const history = buildHistory(
    [
      ...nights('acme-eu', { 'BACK-01': 'fp', 'BACK-02': 'pu', 'BACK-03': 'pp', 'BACK-04': 'uf' }),
      ...nights('acme-us', { 'BACK-01': 'pf' }),
    ],
    [],
  )
  expect(
    listLastChanges(history).map(({ target, requirement, kind }) => [target.target, requirement.id, kind]),
  ).toEqual([
    ['acme-eu', 'BACK-04', 'violated'],
    ['acme-us', 'BACK-01', 'violated'],
    ['acme-eu', 'BACK-02', 'lost'],
    ['acme-eu', 'BACK-01', 'fixed'],
  ])
})

test('runs of one name with two configurations are two targets', () => {
  const [night] = nights('acme', { 'MINT-01': 'p' })
  if (night === undefined) throw new Error('no night')
  const { targets } = buildHistory([night, { ...night, config: 'us.yaml' }], [])
  expect(targets.map(({ config }) => config)).toEqual(['twotoken.yaml', 'us.yaml'])
})

describe('as OpenMetrics', () => {
  const hostile = 'ac"me\\ \n# EOF'
  const text = renderOpenMetrics(
    buildHistory(
      [...nights(hostile, { 'MINT-01': 'pfu', 'MINT-02': 'ppp' }), ...nights('b', { 'MINT-01': 'f' })],
      [],
    ),
  )
  const lines = text.split('\n')

  test('each line is metadata or a sample, and the end is marked', () => {
    expect(text.endsWith('\n# EOF\n')).toBe(true)
    const sample = /^[a-z_]+\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+\} -?[\d.]+ \d+(?:\.\d+)?$/
    for (const line of lines.slice(0, -2))
      expect(line).toMatch(line.startsWith('# ') ? /^# (?:TYPE|UNIT|HELP) / : sample)
  })

  test('a run that did not judge a requirement has no sample of it, and no sample comes twice', () => {
    const of = (part: string) =>
      lines.filter((line) => line.startsWith('twotoken_requirement_violated') && line.includes(part))
    expect(of('id="MINT-01"').map((line) => line.split(' ').at(-2))).toEqual(['0', '1', '1'])
    expect(of('id="MINT-02"')).toHaveLength(3)
    expect(new Set(lines.filter((line) => line !== '')).size).toBe(lines.length - 1)
  })
})

test('as a page: one rectangle for each stretch, no script, and nothing from elsewhere', () => {
  const unread = [{ file: '</ul><script>', why: 'is not a readable results.json' }]
  const html = renderHistoryHtml(
    buildHistory(nights('<b>acme</b>', { 'MINT-01': 'ppffpp', 'MINT-02': 'pppppp' }), unread),
  )
  const elements = everyElement(
    parseXml(html.replace(/<style>.*?<\/style>/s, '').replace('<!DOCTYPE html>', '')),
  )
  const named = (name: string) => elements.filter((one) => one.name === name)
  expect(named('rect').map(({ attributes }) => attributes['class'])).toEqual(['pass', 'fail', 'pass'])
  expect(named('script')).toEqual([])
  expect(html).not.toMatch(/(?:src|href)="(?!#)/)
  expect(html).toContain('fixed on 2026-11-05, first seen 2026-11-03')
  expect(html).toContain('1 requirement without a violation')
})

test('reads runs at any depth, each once, and names files that it leaves out', async () => {
  await using folder = await openTempFolder()
  const compact = JSON.stringify({ ...frozenRun, startedAt: dayOf(2) })
  const files = {
    'eu/1/results.json': frozenText,
    'eu/copy/results.json': frozenText,
    'eu/2/results.json': compact,
    'us/results.json': JSON.stringify({ ...frozenRun, shard: { index: 1, count: 2, ids: [] } }),
    'cut/results.json': frozenText.slice(0, -200),
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder.path, name, '..'), { recursive: true })
    await writeFile(join(folder.path, name), text)
  }
  const { nights: read, unread } = await readNights(await findResults(folder.path), folder.path)
  expect(read).toHaveLength(2)
  for (const { checks } of read)
    expect(checks.map(({ id }) => id)).toEqual(frozenRun.checks.map(({ id }) => id))
  expect(unread).toEqual([
    { file: join('cut', 'results.json'), why: 'is not a readable results.json' },
    { file: join('us', 'results.json'), why: 'is shard 1/2 of a run: merge the shards first' },
  ])
})
