import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCatalogue } from '../../catalogue/load-requirements.ts'
import { createWorkplace } from '../testing/workplace.ts'
import { containerOf, docker, leftBy } from './testing/docker.ts'

test('the whole suite passes on the reference in containers, and leaves nothing behind', async () => {
  await using place = await createWorkplace({ name: 'reference' })
  const running = place.start(['run', '--containers'])
  const pid = running.process.pid
  const addresses = await Promise.all(
    ['mint', 'backend', 'signaling'].map(async (part) =>
      docker('port', await containerOf(part, running)).then((text) => text.split(' -> ')[1]),
    ),
  )
  // No other machine on the network reaches a part.
  for (const address of addresses) expect(address).toMatch(/^127\.0\.0\.1:/)

  const { code, stdout, stderr } = await running.ended
  const { checks, outcome, parts = [], observations } = await place.results()
  const accused = checks.filter(({ verdict }) => !['pass', 'info', 'not-applicable'].includes(verdict))
  expect(accused.map(({ id, verdict, reason, findings }) => ({ id, verdict, reason, findings }))).toEqual([])
  expect({ code, outcome }).toEqual({ code: 0, outcome: 'conformant' })
  expect(checks.map(({ id }) => id)).toEqual((await loadCatalogue()).map(({ id }) => id))
  expect(observations['flow.secretPlaces']).toHaveProperty('what signaling asks of the mint')
  expect(await leftBy(pid)).toEqual([])

  expect(parts.map(({ part, state }) => ({ part, state }))).toEqual(
    ['mint', 'backend', 'signaling'].map((part) => ({ part, state: 'running' })),
  )
  expect((await readdir(place.out)).toSorted()).toEqual(
    ['backend.log', 'mint.log', 'report.html', 'results.json', 'signaling.log'].toSorted(),
  )
  expect(await readFile(join(place.out, 'mint.log'), 'utf8')).toContain('mint is up')
  for (const text of [stdout, stderr, await readFile(join(place.out, 'results.json'), 'utf8')])
    expect(text).not.toMatch(secret)

  const images = parts.map(({ image = '' }) => image)
  for (const image of images) expect(await docker('history', '--no-trunc', image)).not.toMatch(secret)
  expect(await findsSecretIn(images)).toBe(false)
})

/** A whole server key, calling JWT or private key. */
const secret = /ac_live_[A-Za-z0-9]{40}|eyJ[\w-]{10,}\.[\w-]{10,}\.|PRIVATE KEY-----\n[A-Za-z0-9+/]{30}/

/** Says whether any layer contains a key or a session; the base image has private keys and tokens as samples. */
async function findsSecretIn(images: readonly string[]): Promise<boolean> {
  const saving = spawn('docker', ['save', ...images], { stdio: ['ignore', 'pipe', 'ignore'] })
  let rest = ''
  let found = false
  for await (const chunk of saving.stdout as AsyncIterable<Buffer>) {
    const text = rest + chunk.toString('latin1')
    found ||= /ac_live_[A-Za-z0-9]{40}|sess_[\w-]{32}(?![\w-])/.test(text)
    rest = text.slice(-200)
  }
  return found
}
