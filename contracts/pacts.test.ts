import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pact } from '@pact-foundation/pact'
import { afterAll, describe, expect, test } from 'vitest'
import { createSecrets } from '../src/base/evidence/secrets.ts'
import { agree, exampleJwt } from './consumers/contract.ts'
import { contracts, documentNames, generateDocuments, generatePacts, pactFolder } from './generate.ts'

const scratch = await mkdtemp(join(tmpdir(), 'twotoken-pacts-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))

for (const { consumer, provider, cases } of contracts)
  describe(`${consumer} and ${provider}`, () => {
    const pact = new Pact({ dir: join(scratch, 'driven'), consumer, provider, logLevel: 'error' })
    test.each(cases)('$id: $title', async (agreed) => {
      expect(await agree(pact, agreed)).toBeUndefined()
    })
  })

test('the committed pacts are what the consumers generate, byte for byte', async () => {
  const folder = join(scratch, 'generated')
  await generatePacts(folder)
  const names = (await readdir(folder)).toSorted()
  expect((await readdir(pactFolder)).toSorted()).toEqual(names)
  for (const name of names)
    expect(await readFile(join(pactFolder, name), 'utf8'), `${name}: run npm run pacts`).toBe(
      await readFile(join(folder, name), 'utf8'),
    )
})

test('no pact contains a key, a session or a token', async () => {
  for (const name of await readdir(pactFolder)) {
    const text = (await readFile(join(pactFolder, name), 'utf8')).replaceAll(exampleJwt, '')
    expect(createSecrets().printed(text)).toBe(text)
  }
})

test.each(documentNames)('the committed %s is what the pacts make it', async (name) => {
  const generated = await generateDocuments(pactFolder)
  const text = await readFile(join(import.meta.dirname, name), 'utf8')
  expect(text, 'run npm run pacts').toBe(generated[name])
})
