import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

test('a check that blocks the suite is named, and those behind it are judged in a second process', async () => {
  await using reference = await startReference({})
  await using place = await createWorkplace({
    ...reference.written,
    signaling: { url: reference.signaling.url, adapter: './adapter.mjs' },
  })
  await place.write('adapter.mjs', 'export async function connect() { for (;;); }\n')
  const aside = join(place.folder, 'aside')
  await mkdir(aside)
  // MINT-27 waits for all others.
  const args = ['run', '--only', 'MINT-01,SIG-02,MINT-27', '--keep-going']
  const running = place.start(args, { prelude: `export TMPDIR=${aside}` })
  await running.says('blocked for', 'SIG-02, reading')
  const { code } = await running.ended
  const { checks } = await place.results()
  expect(checks.find(({ id }) => id === 'SIG-02')).toMatchObject({
    verdict: 'error',
    reason: expect.stringMatching(
      /the worker ended before it was judged; blocked the suite for \d+ s or more, reading/,
    ),
  })
  expect(checks.find(({ id }) => id === 'MINT-27')).toMatchObject({ verdict: 'pass' })
  expect(code).not.toBe(0)
  expect(await readdir(aside)).toEqual([])
  expect(await place.read('report.html')).toContain('blocked the suite')
})
