import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import type { BlockedLoop } from './blocked-loops.ts'
import { exploreApart } from './explore-apart.ts'

const quickly = { blockedMs: 1000, endsAfterMs: 4000 }

/** Explores signaling through an adapter that accepts whatever it is given, and then does something else. */
async function exploreBy(then: string, limits = quickly) {
  await using folder = await openTempFolder()
  await using reference = await startReference({})
  await writeFile(
    join(folder.path, 'adapter.mjs'),
    `let attempts = 0
export async function connect() {
  attempts += 1
  if (attempts > 60) ${then}
  return { accepted: true, close() {} }
}\n`,
  )
  const { written, signaling } = reference
  const configuration = await resolveConfiguration(
    { ...written, signaling: { url: signaling.url, adapter: './adapter.mjs' } },
    { directory: folder.path, environment: {} },
  )
  const told: BlockedLoop[] = []
  const task = {
    role: 'signaling' as const,
    configuration,
    seed: 1,
    milliseconds: 120_000,
    environment: {},
    fingerprintKey: 'aa',
  }
  const onBlocked = (block: BlockedLoop) => void told.push(block)
  const run = await exploreApart(task, new AbortController().signal, { onBlocked }, limits)
  return { ...run, told }
}

test.concurrent('an adapter that blocks the exploration for good ends it with the results so far', async () => {
  const { checks, exchanges, failure, told } = await exploreBy('for (;;);')
  expect(told.map(({ what }) => what)).toEqual([expect.stringContaining('a story of the signaling, reading')])
  const found = checks.filter(({ verdict }) => verdict === 'fail')
  expect(found.length).toBeGreaterThan(0)
  expect(found[0]?.story?.told.length).toBeGreaterThan(0)
  expect(exchanges.length).toBeGreaterThan(0)
  const open = checks.filter(({ verdict }) => verdict === 'error')
  expect(open.length).toBeGreaterThan(0)
  for (const { reason } of open)
    expect(reason).toMatch(/ended after \d+ stor.*; blocked for \d+ s or more by a story of the signaling/)
  expect(failure).toBeNull()
})

test.concurrent('an adapter that ends the process leaves the results so far, and the reason', async () => {
  const { checks, failure } = await exploreBy(
    '{ console.error("no more"); process.kill(process.pid, "SIGKILL") }',
  )
  expect(checks.map(({ verdict }) => verdict)).toContain('fail')
  expect(failure?.message).toContain('the process that explores ended early (no more)')
})
