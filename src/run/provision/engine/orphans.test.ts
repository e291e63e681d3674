import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { identifyProcess } from '../../../base/process-identity.ts'
import { isOrphan, nameProject, ownerLabel } from './orphans.ts'

const now = () => Date.now() / 1000
const labelled = (owner: string) => ({ labels: { [ownerLabel]: owner }, createdAt: now() })

/** The owner that a process was which has ended. */
async function ownerThatIsGone(): Promise<string> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'exit')
  return (await identifyProcess()).replace(/-\d+-/, `-${child.pid}-`)
}

test('finds no orphan of a living process', async () => {
  expect(await isOrphan(labelled(await identifyProcess()))).toBe(false)
})

test('finds an orphan of a process that is gone, in a compose project, too', async () => {
  const owner = await ownerThatIsGone()
  expect(await isOrphan(labelled(owner))).toBe(true)
  const labels = { 'com.docker.compose.project': nameProject(owner) }
  expect(await isOrphan({ labels, createdAt: now() })).toBe(true)
})

test('a process that was given the number of another owns nothing of it', async () => {
  const owner = (await identifyProcess()).replace(/\d+$/, '1')
  expect(await isOrphan(labelled(owner))).toBe(true)
})

test('leaves containers of another machine alone for a day', async () => {
  const owner = (await ownerThatIsGone()).replace(/^[0-9a-f]{8}/, '00000000')
  expect(await isOrphan(labelled(owner))).toBe(false)
  expect(await isOrphan({ ...labelled(owner), createdAt: now() - 90_000 })).toBe(true)
})

test.each([
  ['no labels', null],
  ["a user's own project", { 'com.docker.compose.project': 'shop' }],
  ['a label that is none of ours', { [ownerLabel]: 'me' }],
])('%s: no orphan', async (_, labels) => {
  expect(await isOrphan({ labels, createdAt: 0 })).toBe(false)
})
