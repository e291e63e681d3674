import { expect, test } from 'vitest'
import { createWorkplace } from './testing/workplace.ts'

const timeout = 120_000

test('a run writes each report that --report names', { timeout }, async () => {
  await using place = await createWorkplace({ name: 'acme' })
  const asked = ['--report', 'junit=junit.xml', '--report', 'sarif=deep/results.sarif']
  const { code, stdout } = await place.start(['run', '--only', 'MINT-01', ...asked]).ended
  expect(code).toBe(3)
  expect(stdout).toContain('MINT-01')
  expect(await place.read('../junit.xml')).toContain('<testsuites')
  expect(JSON.parse(await place.read('../deep/results.sarif'))).toMatchObject({ version: '2.1.0' })
})

test.each(['pdf=a.pdf', 'junit', 'junit=', '=a.xml', 'toString=a'])(
  '--report %s is refused before anything is judged, with the formats',
  { timeout },
  async (value) => {
    await using place = await createWorkplace({ name: 'acme' })
    const { code, stderr } = await place.start(['run', '--report', value]).ended
    expect(code).toBe(2)
    expect(stderr).toContain('use FORMAT=FILE with one of html, github, junit, sarif')
  },
)

test('a report that cannot be written leaves the results', { timeout }, async () => {
  await using place = await createWorkplace({ name: 'acme' })
  await place.write('taken', '')
  const asked = ['--report', 'junit=taken/junit.xml']
  const { code, stderr } = await place.start(['run', '--only', 'MINT-01', ...asked]).ended
  expect(code).toBe(4)
  expect(stderr).toContain('taken/junit.xml: a part of its path is a file')
  expect((await place.results()).checks).toHaveLength(1)
})
