import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

test('a check that blocks the suite is named, and the run ends with the results of the others', async () => {
  await using reference = await startReference({})
  await using place = await createWorkplace({
    ...reference.written,
    signaling: { url: reference.signaling.url, adapter: './adapter.mjs' },
  })
  await place.write('adapter.mjs', 'export async function connect() { for (;;); }\n')
  const running = place.start(['run', '--only', 'MINT-01,SIG-02', '--keep-going'])
  await running.says('blocked for', 'SIG-02, reading')
  const { code, stderr } = await running.ended
  const { checks } = await place.results()
  expect(stderr).toContain('blocked for')
  expect(checks.find(({ id }) => id === 'SIG-02')).toMatchObject({
    verdict: 'error',
    reason: expect.stringMatching(
      /the worker ended before it was judged; blocked the suite for \d+ s or more, reading/,
    ),
  })
  expect(code).not.toBe(0)
  expect(await place.read('report.html')).toContain('blocked the suite')
})

test('an adapter that blocks the command itself is named, and the results so far are on disk by then', async () => {
  await using reference = await startReference({})
  await using place = await createWorkplace({
    ...reference.written,
    signaling: { url: reference.signaling.url, adapter: './adapter.mjs' },
  })
  await place.write(
    'adapter.mjs',
    `import { existsSync } from 'node:fs'
const results = new URL('./twotoken-results/results.json', import.meta.url)
export async function connect() {
  if (existsSync(results)) for (;;);
  return { accepted: true, close() {} }
}\n`,
  )
  const running = place.start(['run', '--only', 'SIG-03', '--blame'])
  await running.says('twotoken: blocked for', 's by --blame, reading')
  const { checks, outcome } = await place.results()
  expect(checks.map(({ id, verdict }) => `${id} ${verdict}`)).toContain('SIG-03 fail')
  expect(outcome).not.toBe('conformant')
})
