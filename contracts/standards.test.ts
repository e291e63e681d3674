import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createConfig, lint, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { documentNames, generateDocuments, pactFolder } from './generate.ts'

const fileOf = (name: string) => join(import.meta.dirname, name)
const textOf = (name: string) => readFile(fileOf(name), 'utf8')

test.each(documentNames)('the committed %s is what the pacts make it', async (name) => {
  const generated = await generateDocuments(pactFolder)
  expect(await textOf(name), 'run npm run pacts').toBe(generated[name])
})

test.each(documentNames)('%s has nothing that a linter complains of', async (name) => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lint({ ref: fileOf(name), config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

test.each([
  [
    'openapi.yaml',
    'operationId: mintCallingToken',
    'operationId: fetchCallingToken',
    'operation-operationId-unique',
  ],
  ['asyncapi.yaml', 'action: receive', 'action: listen', 'struct'],
])('the linter sees a mistake in %s', async (name, text, mistake, rule) => {
  const config = await createConfig({ extends: ['recommended'] })
  const source = (await textOf(name)).replace(text, mistake)
  const problems = await lintFromString({ source, absoluteRef: fileOf(name), config })
  expect(problems.map(({ ruleId }) => ruleId)).toContain(rule)
})
