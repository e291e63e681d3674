import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { listening } from '../../base/http/testing/serve.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { runCommand } from '../../configuration/command.ts'
import { resolveConfiguration } from '../../configuration/load.ts'
import { preflight } from '../../run/preflight/preflight.ts'
import { openStreams } from '../testing/streams.ts'
import { type ServeOptions, serve } from './serve.ts'

/** Serves until disposed of; resolves once the stack has been printed, or rejects with why it was not. */
async function serving(options: ServeOptions) {
  let stop = () => {}
  const { written, stdout, stderr } = openStreams()
  const ready = Promise.withResolvers<void>()
  const done = serve(options, {
    stdout,
    stderr: {
      write(text: string) {
        stderr.write(text)
        if (written.stdout !== '') ready.resolve()
      },
    },
    onInterrupt: (callback) => {
      stop = callback
    },
  })
  await Promise.race([ready.promise, done])
  return {
    ...written,
    log: () => written.stderr,
    async [Symbol.asyncDispose]() {
      stop()
      await done
    },
  }
}

test('prints a configuration by which the stack can be judged', async () => {
  await using stack = await serving({})
  const yaml = stack.stdout.slice(stack.stdout.indexOf('# this stack'))
  const configured = () => resolveConfiguration(parse(yaml), { directory: '/', environment: {} })
  const configuration = await configured()
  expect(await preflight(configuration, { parts: ['flow'] })).toEqual([])
  expect(stack.stdout).toMatch(/^console +http:/m)

  // A run ends a session and a key, and replaces the key that signs; the next one starts from the same file.
  const { signOut, revokeKey, rotateKeys } = configuration.hooks
  for (const hook of [signOut, revokeKey, rotateKeys]) {
    const environment = { TWOTOKEN_SESSION: signOut?.session, TWOTOKEN_KEY: revokeKey?.key }
    const surroundings = { directory: '/', environment, mayBeSilent: true } as const
    expect(await runCommand(hook?.command ?? '', surroundings)).toEqual({ output: '' })
  }
  const next = await configured()
  expect(next.hooks.signOut?.session).not.toBe(signOut?.session)
  expect(next.hooks.revokeKey?.key).not.toBe(revokeKey?.key)
  expect(await preflight(next, { parts: ['flow'] })).toEqual([])
})

test('keeps keys and certificates in a folder, and logs each request in a line', async () => {
  await using folder = await openTempFolder()
  const state = join(folder.path, 'kept')
  const starts: { keys: object; ca: string }[] = []
  for (const _ of ['first', 'second']) {
    await using stack = await serving({ state, json: true })
    const { mint, caFile } = JSON.parse(stack.stdout)
    starts.push({ keys: mint.keys, ca: await readFile(caFile, 'utf8') })
    const headers = { authorization: `Bearer ${mint.keys.active}`, 'content-type': 'application/json' }
    const asked = { method: 'POST', headers, body: '{"userId":"alice"}' }
    expect((await fetch(`${mint.url}/api/v1/calling/token`, asked)).status).toBe(200)
    expect(stack.log()).toMatch(/^mint +POST \/api\/v1\/calling\/token 200 /m)
    expect(stack.log()).not.toContain(mint.keys.active)
  }
  expect(starts[1]).toEqual(starts[0])
  expect((await stat(join(state, 'state.json'))).mode & 0o77).toBe(0)

  await writeFile(join(state, 'state.json'), '{"keys":{}}')
  await expect(serving({ state })).rejects.toThrow(/state\.json cannot be used .*delete it/)
  await writeFile(join(state, 'state.json'), '{"keys":{"active":"ac_live_half')
  await expect(serving({ state })).rejects.toThrow(/cannot be used \(it has other contents\)/)
})

test('starts what a part depends on, says so, and leaves the rest out', async () => {
  await using stack = await serving({ parts: ['backend'], json: true })
  const served = JSON.parse(stack.stdout)
  expect(stack.stderr).toContain('also started the mint')
  expect(Object.keys(served)).toEqual(['variant', 'mint', 'backend', 'caFile', 'configuration'])
  expect(served.configuration).not.toHaveProperty('signaling')
})

test('listens on the ports that follow the base, and says which one is taken', async () => {
  const server = await listening(createServer())
  const options = { parts: ['mint'], portBase: server.port, json: true }
  await expect(serving(options)).rejects.toMatchObject({
    code: 'precondition',
    message: `port ${server.port} for mint is already in use: free it, or choose another --port-base`,
  })
  await server[Symbol.asyncDispose]()
  await using stack = await serving(options)
  expect(JSON.parse(stack.stdout).mint.url).toBe(server.url)
})

test.each<[string, ServeOptions]>([
  ['unknown part "page"', { parts: ['page'] }],
  ['--port-base 70000 is out of range', { portBase: 70_000 }],
  ['unknown variant "nothing/like-it"; did you mean', { variant: 'nothing/like-it' }],
])('wrong usage is one sentence: %s', async (sentence, options) => {
  await expect(serving(options)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(sentence),
  })
})
