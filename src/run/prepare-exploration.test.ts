import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import type { ExploredRole } from '../requirement/explored-roles.ts'
import { closedPort } from './preflight/testing/preflight.ts'
import { prepareExploration } from './prepare-exploration.ts'

// The mistakes that keep a run from starting keep an exploration from starting, in the same words.

interface File {
  mint: { url: string; apiKey: string }
  backend: {
    url: string
    sessions: Record<string, { token: string; userId: string }>
    fakeMint: { listen: string; apiKey: string }
  }
  signaling: { url: string }
  limits?: { maxMints: number }
}

const reference = await startReference()
const folder = await openTempFolder()
afterAll(async () => {
  await reference[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

async function prepare(role: ExploredRole, change: (file: File) => unknown) {
  const file = structuredClone(reference.written) as unknown as File
  await change(file)
  await writeFile(join(folder.path, 'twotoken.yaml'), JSON.stringify(file))
  await using stack = new AsyncDisposableStack()
  const ignored = { write: () => undefined }
  const environment = {
    directory: folder.path,
    variables: {},
    stdout: ignored,
    stderr: { ...ignored, isTTY: false, columns: 80 },
    color: false,
    onInterrupt: () => undefined,
  }
  const { signal } = new AbortController()
  return await prepareExploration(role, { config: 'twotoken.yaml' }, environment, signal, stack)
}

const deadPort = async () => `127.0.0.1:${await closedPort()}`

test.each<[ExploredRole, string, (file: File) => unknown, RegExp]>([
  [
    'backend',
    'a session is unknown',
    ({ backend }) => Object.assign(backend.sessions['alice'] ?? {}, { token: 'a-session-that-nobody-knows' }),
    /returned 401 for backend\.sessions\.alice.*sign in again/,
  ],
  [
    'signaling',
    'the path of signaling is another',
    ({ signaling }) => (signaling.url = `${signaling.url}/elsewhere`),
    /answered 404 to an upgrade, with a token and without.*signaling\.url/,
  ],
])('%s: %s', async (role, _, change, sentence) => {
  const failed = await prepare(role, change).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'precondition' })
  const [first, ...lines] = (failed as Error).message.split('\n')
  expect(first).toBe('the exploration did not start:')
  expect(lines).toEqual([expect.stringMatching(sentence)])
})

test('asks only the parts that stories contact', async () => {
  const dead = await deadPort()
  const others = (file: File) => {
    file.backend.url = `http://${dead}/calling/token`
    file.signaling.url = `wss://${dead}/ws`
  }
  expect(await prepare('mint', others)).not.toBeNull()
  expect(await prepare('backend', (file) => (file.mint.url = `http://${dead}`))).not.toBeNull()
})

test('subtracts the calling tokens of the preparations', async () => {
  const plan = await prepare('mint', (file) => (file.limits = { maxMints: 10 }))
  expect(plan?.configuration.limits.maxMints).toBe(8)
})
