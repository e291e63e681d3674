import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jsonAnswer } from '../../../fixtures/answer.ts'
import { startReference } from '../../../fixtures/stack.ts'
import type { Variant } from '../../requirement/define.ts'
import { summaryText } from '../output/summary.ts'
import { createWorkplace } from '../testing/workplace.ts'

/** Few, since each kind of run takes its time. */
const ids = 'BACK-01,BACK-04,BACK-07,BACK-10,BACK-12,BACK-16'
const args = ['run', '--seed', '7', '--only', ids]

/** A backend that believes the id in a request, hides that minting failed, and lets caches keep tokens. */
const broken: Variant = {
  backend: {
    userId: ({ userId }, { body }) => /"userId":"([^"]+)"/.exec(body)?.[1] ?? userId,
    mintFailed: () => jsonAnswer(200, { error: 'calling is unavailable' }),
    success: (usual) => ({ ...usual, headers: { ...usual.headers, 'cache-control': 'public, max-age=60' } }),
  },
}

/** Replaces the values that differ from run to run: durations, ports, folders, generated ids and fingerprints. */
function withoutChance(text: string): string {
  return text
    .replace(/[\d.]+ m?s\b/g, '… s')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .replace(/\S*\/tt-\w{6}\b/g, '/acme')
    .replace(/\btt-[\w-]+/g, 'tt-…')
    .replace(/#[0-9a-f]{8}/g, '#…')
    .replaceAll('\u001b', '␛')
}

const file = (name: string) => join(import.meta.dirname, 'testing', `${name}.txt`)

/** Requirements are judged at the same time: they report in any order. Long waits depend on the machine. */
function inOrder(progress: string): string {
  const lines = progress.split('\n').filter((line) => !/^\S+ waits up to /.test(line))
  const isVerdict = (line: string) => /^[a-z-]+ +[A-Z]+-\d+ /.test(line)
  return [...lines.filter((line) => !isVerdict(line)), ...lines.filter(isVerdict).toSorted()].join('\n')
}

test.each([
  ['conformant', {}, [], 0],
  ['nonconformant', broken, [], 1],
  ['incomplete', {}, ['--no-wait'], 3],
] as const)('the whole output of a run that is %s', async (kind, variant, options, code) => {
  await using reference = await startReference({ variant })
  await using place = await createWorkplace(reference.written)
  const ended = await place.start([...args, ...options]).ended
  expect(ended.code).toBe(code)
  await expect(withoutChance(`${inOrder(ended.stderr)}\n${ended.stdout}`)).toMatchFileSnapshot(
    file(`${kind}-in-ci`),
  )

  const results = await place.results()
  const reportPath = join(place.out, 'report.html')
  const shown = (color: boolean, columns: number) =>
    withoutChance(summaryText(results, { color, columns, reportPath }))
  await expect(shown(false, 60)).toMatchFileSnapshot(file(`${kind}-60-columns`))
  await expect(shown(true, 100)).toMatchFileSnapshot(file(`${kind}-100-columns-in-colour`))
  const lines = summaryText(results, { color: false, columns: 60, reportPath: '' }).split('\n')
  const isAddress = (line: string) => /^https:\S+$/.test(line)
  expect(lines.filter((line) => line.length > 60 && !isAddress(line))).toEqual([])
})
