import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../../base/temp-folder.ts'
import type { Outcome } from '../../base/verdict.ts'
import { frozenRun } from '../../reports/testing/frozen-run.ts'
import { history } from './history.ts'
import { mergeTargets } from './merge.ts'

/** Folders by the name of a target, each with a run of that outcome. */
async function runsOf(outcomes: Readonly<Record<string, Outcome | 'cut'>>) {
  const folder = await openTempFolder()
  for (const [target, outcome] of Object.entries(outcomes)) {
    await mkdir(join(folder.path, target))
    const text = JSON.stringify({ ...frozenRun, target, outcome })
    await writeFile(join(folder.path, target, 'results.json'), outcome === 'cut' ? text.slice(0, 99) : text)
  }
  const said = { stdout: '', stderr: '' }
  const environment = {
    stdout: { write: (text: string) => (said.stdout += text) },
    stderr: { write: (text: string) => (said.stderr += text) },
    directory: folder.path,
  }
  return {
    path: folder.path,
    said,
    environment,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

test.each<[string, number, Record<string, Outcome | 'cut'>]>([
  ['all conformant', 0, { eu: 'conformant', us: 'conformant' }],
  ['one incomplete', 3, { eu: 'incomplete', us: 'conformant' }],
  ['a violation besides', 1, { eu: 'incomplete', us: 'nonconformant' }],
  ['an error besides', 4, { eu: 'error', us: 'nonconformant' }],
  ['a truncated file', 3, { eu: 'conformant', us: 'cut' }],
])('targets side by side, %s: exit code %i', async (_, code, outcomes) => {
  await using runs = await runsOf(outcomes)
  expect(await mergeTargets({ paths: ['eu', 'us'], out: 'both', json: false }, runs.environment)).toBe(code)
  expect(runs.said.stdout).toContain(`eu (${frozenRun.config}) is ${outcomes['eu']}`)
  const { targets } = JSON.parse(await readFile(join(runs.path, 'both/targets.json'), 'utf8'))
  expect(targets).toHaveLength(Object.values(outcomes).filter((outcome) => outcome !== 'cut').length)
  expect(await readFile(join(runs.path, 'both/targets.html'), 'utf8')).toContain('<title>')
})

test('a history goes to stdout, and names on stderr the files that are left out', async () => {
  await using runs = await runsOf({ eu: 'conformant', us: 'cut' })
  expect(await history({ paths: ['.'], format: 'openmetrics' }, runs.environment)).toBe(0)
  expect(runs.said.stdout).toMatch(/# EOF\n$/)
  expect(runs.said.stderr).toBe('left out: us/results.json is not a readable results.json\n')
  await expect(history({ paths: ['us'], format: 'html' }, runs.environment)).rejects.toMatchObject({
    code: 'usage',
  })
  await expect(history({ paths: ['.'], format: 'pdf' }, runs.environment)).rejects.toMatchObject({
    code: 'usage',
  })
})
