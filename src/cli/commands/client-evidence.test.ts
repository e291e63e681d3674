import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

test('with --screenshots a client that fails leaves a trace and a screenshot, and no secret in them', async () => {
  await using reference = await startReference({
    variant: { client: { variant: 'session in two headers' } },
    withClient: true,
  })
  await using place = await createWorkplace(reference.written)
  const { code } = await place.start(['run', '--only', 'CLI-01', '--screenshots']).ended
  expect(code).toBe(1)
  const results = await place.results()
  expect(results.checks[0]?.observations['keptInFolderClient']).toEqual(['CLI-01-1.zip', 'CLI-01-1.png'])
  const folder = join(place.out, 'client')
  expect((await readdir(folder)).toSorted()).toEqual(['CLI-01-1.png', 'CLI-01-1.zip'])
  const trace = await readFile(join(folder, 'CLI-01-1.zip'))
  expect(Object.keys(unzipSync(trace))).toContain('trace.trace')
  // Entries are stored as they are, so that the bytes can be searched.
  const text = trace.toString('latin1')
  for (const secret of [
    reference.backend.sessions.alice.token,
    ...reference.backend.users.map(({ password }) => password),
  ])
    expect(text).not.toContain(secret)
  expect(text).toContain('getByRole')
})

test('without it none is kept; --evidence full writes what reports mask for the user alone', async () => {
  await using reference = await startReference({
    variant: { client: { variant: 'session in two headers' } },
    withClient: true,
  })
  await using place = await createWorkplace(reference.written)
  await place.start(['run', '--only', 'CLI-01', '--evidence', 'full']).ended
  const written = (await readdir(place.out)).toSorted()
  expect(written).toEqual(['evidence.json', 'report.html', 'results.json'])
  const { mode } = await stat(join(place.out, 'evidence.json'))
  expect(mode & 0o777).toBe(0o600)
  const full = await place.read('evidence.json')
  const masked = await place.read('results.json')
  // The name of a browser with its numbers is none of the words.
  expect(full).toMatch(/Chrome\/\d+\.\d+\.\d+\.\d+ /)
  expect(masked).toMatch(/‹\d+ characters/)
  expect(full).not.toMatch(/‹\d+ characters #/)
  expect(full).not.toContain(reference.backend.sessions.alice.token)
  expect(
    await place.start(['report', join(place.out, 'evidence.json'), '--format', 'html']).ended,
  ).toMatchObject({ code: 2 })
  await place.start(['run', '--only', 'CLI-01']).ended
  expect(await readdir(place.out)).not.toContain('evidence.json')
})
