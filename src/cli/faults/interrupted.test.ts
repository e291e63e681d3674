import { mkdir, readdir, readFile, watch } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { startListening } from '../../base/http/listening.ts'
import { listening } from '../../base/http/testing/serve.ts'
import { createWorkplace, livingIn } from '../testing/workplace.ts'

// Ctrl-C reaches the whole process group, a supervisor's signal the command alone.
test.concurrent.each([
  ['the process group', (pid: number) => process.kill(-pid, 'SIGINT')],
  ['the command alone', (pid: number) => process.kill(pid, 'SIGTERM')],
])('an interruption of %s in mid-run keeps the results so far', async (_, interrupt) => {
  // So long that SIG-06 still waits for an expiry, however slowly the command begins.
  const variant = { configuration: { mint: { minTtlSeconds: 60 } } }
  await using reference = await startReference({ variant })
  await using place = await createWorkplace(reference.written)
  const running = place.start(['run', '--only', 'MINT-18,SIG-06,BACK-06'])
  await running.says('MINT-18')
  const pid = running.process.pid ?? 0
  interrupt(pid)
  const { code, stdout, stderr } = await running.ended

  expect(code).toBe(130)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(await livingIn(pid)).toEqual([])
  const freed = { host: '127.0.0.1', port: reference.configuration.backend?.fakeMint?.port ?? 0 }
  await using _freed = await startListening(createServer(), freed)
  const { interrupted, outcome, checks } = await place.results()
  expect({ interrupted, outcome }).toEqual({ interrupted: true, outcome: 'incomplete' })
  expect(checks.find(({ id }) => id === 'MINT-18')).toMatchObject({ verdict: 'pass' })
  const reason = 'the run was interrupted before it was judged'
  expect(checks.find(({ id }) => id === 'SIG-06')).toMatchObject({ verdict: 'untested', reason })
  expect(stdout).toContain('interrupted')
})

test.concurrent.each([
  [['run', '--suite', 'mint'], 'twotoken: interrupted before any requirement was judged\n'],
  [['doctor'], 'twotoken: interrupted\n'],
  [['detect'], 'twotoken: interrupted\n'],
  [['verify', 'mint', '--config', 'twotoken.yaml'], 'twotoken: interrupted\n'],
])('an interruption of %j while it asks does not wait for its deadline', async (command, said) => {
  const connected = Promise.withResolvers<void>()
  await using server = await listening(createServer(() => connected.resolve()))
  await using place = await createWorkplace({
    mint: { url: server.url, apiKey: 'ac_live_made_up_for_a_test' },
    signaling: { url: server.url.replace('http', 'ws') },
    // Far more than a test may take.
    limits: { requestSeconds: 3600 },
  })
  const running = place.start(command)
  await connected.promise
  running.process.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: said })
  await expect(place.results()).rejects.toThrow('ENOENT')
})

test.concurrent('an interruption while a credential command runs ends that, too', async () => {
  await using place = await createWorkplace({
    mint: { url: 'http://127.0.0.1:9', apiKey: { command: 'echo $$ > pid; sleep 60' } },
  })
  const started = watch(place.folder)
  const pidOf = async () => Number(await readFile(join(place.folder, 'pid'), 'utf8'))
  const running = place.start(['run', '--suite', 'mint'])
  for await (const { filename } of started) if (filename === 'pid' && (await pidOf()) > 0) break
  running.process.kill('SIGINT')
  const { code, stderr } = await running.ended
  // The signal is sent before the end; the system may deliver it behind it.
  await expect.poll(async () => await livingIn(await pidOf())).toEqual([])
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: 'twotoken: interrupted before any requirement was judged\n',
  })
})

test.concurrent('a disk that is full at the end is exit 4, after the summary of what was judged', async () => {
  await using reference = await startReference({ withoutDouble: true })
  await using place = await createWorkplace(reference.written)
  // No file may grow beyond 8 KB: to a writer the same as a disk without room.
  const prelude = 'trap "" XFSZ; ulimit -f 16'
  const args = ['run', '--only', 'MINT-01,MINT-04,MINT-05,MINT-18']
  const { code, stdout, stderr } = await place.start(args, { prelude }).ended
  expect(stderr).toMatch(/cannot write .*results\.json/)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stdout).toContain('4 pass')
  expect(code).toBe(4)
  await expect(place.results()).rejects.toThrow('ENOENT')
})

test.concurrent('the keys that serve leaves when it is killed are removed by the next command', async () => {
  await using place = await createWorkplace({})
  const aside = join(place.folder, 'aside')
  await mkdir(aside)
  const prelude = `export TMPDIR=${aside}`
  const killed = place.start(['serve', 'mint'], { prelude })
  await killed.says('press Ctrl-C')
  const left = await readdir(aside)
  expect(await readdir(join(aside, left[0] ?? ''))).toContain('signing-key.pem')
  killed.process.kill('SIGKILL')
  await killed.ended
  expect(await readdir(aside)).toEqual(left)

  const next = place.start(['serve', 'mint'], { prelude })
  await next.says('press Ctrl-C')
  expect(await readdir(aside)).toHaveLength(1)
  expect(await readdir(aside)).not.toEqual(left)
  next.process.kill('SIGINT')
  await next.ended
  expect(await readdir(aside)).toEqual([])
})
