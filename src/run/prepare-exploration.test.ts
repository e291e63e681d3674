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

test('an unknown session of the backend', async () => {
  const change = ({ backend }: File) =>
    Object.assign(backend.sessions['alice'] ?? {}, { token: 'an-unknown-session' })
  const failed = await prepare('backend', change).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'precondition' })
  expect(String(failed)).toMatch(
    /the exploration did not start:\n.*returned 401 for backend\.sessions\.alice.*sign in again.*$/,
  )
})

test('asks only the parts that stories contact', async () => {
  const dead = `127.0.0.1:${await closedPort()}`
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
