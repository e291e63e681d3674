import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadConfiguration } from '../../configuration/load.ts'
import { initialise } from '../commands/init.ts'
import { scriptDialogue } from './testing/script-dialogue.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'twotoken-init-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** Writes the file with these lines typed in, and returns it together with all that the user saw. */
async function typed(...lines: string[]) {
  const { dialogue, shown } = scriptDialogue(lines)
  await initialise({ directory, dialogue })
  const file = join(directory, 'twotoken.yaml')
  return { file, text: await readFile(file, 'utf8'), shown: shown.join('\n') }
}

const environment = {
  CALLING_API_KEY: 'ac_live_x',
  ALICE_SESSION: 'a',
  ALICE_USER_ID: 'alice',
  BOB_SESSION: 'b',
  BOB_USER_ID: 'bob',
}

it('writes what was answered, and leaves the profile to detection', async () => {
  const { file } = await typed(
    'acme',
    'https://api.acme.example',
    'https://shop.acme.example/t',
    'wss://s.acme.example',
  )
  const configuration = await loadConfiguration(file, environment)
  expect(configuration).toMatchObject({
    name: 'acme',
    mint: { url: 'https://api.acme.example', apiKey: 'ac_live_x' },
    backend: { url: 'https://shop.acme.example/t' },
    signaling: { url: 'wss://s.acme.example' },
  })
  expect(configuration.signaling?.access).toBeUndefined()
})

it('switches off what was left out', async () => {
  const { file, text } = await typed('', 'https://api.acme.example', '-', '')
  const configuration = await loadConfiguration(file, environment)
  expect(configuration.name).toBe(basename(directory))
  expect(configuration.backend).toBeUndefined()
  expect(configuration.signaling).toBeUndefined()
  expect(text).toContain('#backend:')
})

it('asks again when an address is none, and goes on without the part', async () => {
  const { file, shown } = await typed(
    'x',
    'nonsense',
    'ftp://a',
    'api.acme.example/',
    '',
    'http://not-ws',
    'ws://127.0.0.1:1/ws',
  )
  const configuration = await loadConfiguration(file, environment)
  expect(configuration.mint).toBeUndefined()
  expect(configuration.signaling?.url).toBe('ws://127.0.0.1:1/ws')
  expect(shown.match(/invalid address; use one such as/g)).toHaveLength(4)
  expect(shown).toContain('skipped base URL of the mint')
})

it('takes names that would break the file as they are', async () => {
  const { file } = await typed('a "b": #c', '-', '-', 'wss://s.example')
  expect((await loadConfiguration(file, {})).name).toBe('a "b": #c')
})

it('proposes what an OpenAPI description, a .env file and a compose file say, without any value', async () => {
  await writeFile(
    join(directory, 'openapi.yaml'),
    'openapi: 3.1.0\nservers: [{ url: https://shop.acme.example/v2/ }]\npaths: { /me: {}, /calling/token: {} }\n',
  )
  await writeFile(
    join(directory, '.env.local'),
    'export ACME_MINT_URL=https://secret.example\nCALLING_SERVICE_KEY=ac_live_hidden\n# X=1\n',
  )
  await writeFile(join(directory, 'compose.yml'), 'services: {}\n')
  const { text, shown, file } = await typed('', '', '', 'wss://s.example')
  expect(shown).toContain('(from openapi.yaml) [https://shop.acme.example/v2/calling/token]')
  expect(text).toMatch(/url: \$\{ACME_MINT_URL\}/)
  expect(text).toMatch(/apiKey: \$\{CALLING_SERVICE_KEY\}/)
  expect(text).toContain('#compose: compose.yml')
  expect(text + shown).not.toMatch(/secret\.example|ac_live_hidden/)
  const set = { ...environment, ACME_MINT_URL: 'https://api.example', CALLING_SERVICE_KEY: 'ac_live_y' }
  expect((await loadConfiguration(file, set)).backend?.url).toBe('https://shop.acme.example/v2/calling/token')
})

it('reads nothing out of files that are not what their names say', async () => {
  await writeFile(join(directory, 'openapi.json'), '{ "paths": [')
  await writeFile(join(directory, 'swagger.yml'), '- 1\n')
  await writeFile(join(directory, '.env'), '\u0000\u0001=====\n')
  const { shown } = await typed('', '-', '-', '-')
  expect(shown).not.toContain('from openapi')
})

it('says which common ports are listened on', async () => {
  const server = createServer()
  const isMine = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(8787, '127.0.0.1', () => resolve(true))
  })
  const { shown } = await typed('', '-', '-', '-')
  expect(shown).toMatch(/open ports on this machine: .*8787/)
  if (isMine) await once(server.close(), 'close')
})

it('asks nothing when there is a file already', async () => {
  await writeFile(join(directory, 'twotoken.yaml'), 'name: mine\n')
  await expect(typed('x')).rejects.toMatchObject({ code: 'usage' })
})
