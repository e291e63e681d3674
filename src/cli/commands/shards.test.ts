import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

const chosen = ['MINT-01', 'MINT-03', 'MINT-04', 'MINT-05', 'BACK-01']
const only = ['--only', chosen.join(',')]

test('shards of a run, merged, are the whole run', async () => {
  await using reference = await startReference()
  await using place = await createWorkplace(reference.written)
  // The backend knows one mint double: on one machine the shards take turns.
  for (const shard of ['1/3', '2/3', '3/3']) {
    const args = ['run', ...only, '--shard', shard, '--out', join('shards', shard.replace('/', '-of-'))]
    expect(await place.start(args).ended).toMatchObject({ code: 0 })
  }
  const merged = await place.start(['merge', 'shards', '--out', 'merged', '--json']).ended
  expect(merged).toMatchObject({ code: 0, stderr: expect.stringContaining('5 pass') })
  const results = JSON.parse(merged.stdout)
  expect(results.checks.map(({ id }: { id: string }) => id)).toEqual(chosen)
  expect(await readFile(join(place.folder, 'merged/results.json'), 'utf8')).toBe(merged.stdout)
  expect(await readFile(join(place.folder, 'merged/report.html'), 'utf8')).toContain('BACK-01')

  const lost = await place.start(['merge', join('shards', '1-of-3'), '--out', 'lost']).ended
  expect(lost).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('shard 2/3 is missing'),
  })
})

test.each([
  [['merge', 'nowhere'], 'nowhere does not exist'],
  [['merge', '.'], 'contains no results.json'],
  [['run', '--shard', '3/2'], 'invalid --shard 3/2; use INDEX/COUNT'],
  [['run', '--only', 'MINT-01', '--shard', '2/2'], 'is empty: only'],
])('%j is wrong usage', async (args, message) => {
  await using place = await createWorkplace({ name: 'acme' })
  const { code, stdout, stderr } = await place.start(args).ended
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
