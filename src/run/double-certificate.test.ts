import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../base/temp-folder.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { createDoubleCertificate } from './write-artefacts.ts'

const backend = {
  url: 'http://127.0.0.1:4100/calling/token',
  sessions: { alice: { token: 'a-session-of-alice', userId: 'u-alice' } },
  fakeMint: { listen: '127.0.0.1:9400', apiKey: 'ac_live_of_the_double_alone', tls: true },
}

async function writtenFor(start: object) {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'twotoken.yaml')
  const out = join(folder.path, 'elsewhere')
  await mkdir(out)
  await writeFile(file, JSON.stringify({ name: 'acme', backend, ...start }))
  await createDoubleCertificate(await loadConfiguration(file, {}), out, { write: () => true })
  const paths = (await readdir(folder.path, { recursive: true })).filter((path) => path.endsWith('.pem'))
  return await Promise.all(
    paths.toSorted().map(async (path) => ({ path, text: await readFile(join(folder.path, path), 'utf8') })),
  )
}

test('the authority of the double is where a start command reads it, whatever folder the results have', async () => {
  const [beside, usual, ...others] = await writtenFor({ start: { command: 'npm start' } })
  expect([beside?.path, usual?.path, others]).toEqual([
    'elsewhere/mint-double-ca.pem',
    'twotoken-results/mint-double-ca.pem',
    [],
  ])
  expect(usual?.text).toBe(beside?.text)
})

test('no folder is made where the suite starts nothing', async () => {
  expect((await writtenFor({})).map(({ path }) => path)).toEqual(['elsewhere/mint-double-ca.pem'])
})
