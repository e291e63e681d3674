import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../../base/temp-folder.ts'
import { configurationJsonSchema } from '../../configuration/json-schema.ts'
import { loadConfiguration } from '../../configuration/load.ts'
import { configurationTemplate } from '../init/backend-files.ts'
import { initialise } from './init.ts'

const addresses = {
  MINT_URL: 'https://api.example.com',
  BACKEND_URL: 'https://shop.example.com/calling/token',
  SIGNALING_URL: 'wss://signal.example.com/ws',
  PROXY_URL: 'http://tester:password@proxy.example.com:3128',
}
/** A value for every variable that the template names. */
const environment = {
  ...Object.fromEntries(
    [...configurationTemplate.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [name, `value-of-${name}`]),
  ),
  ...addresses,
}

/** The template with everything switched on but what excludes something else. */
const switchedOn = configurationTemplate
  .replaceAll(/^( *)#(?=[a-zA-Z]+:|- )/gm, '$1')
  .replace(/^ *adapter: .*$/m, '')
  .replace(/^ *command: .\/client .*$/m, '')
  .replace(/^ *binary: .*$/m, '')

const keysOfImage = ['capabilities', 'env', 'health', 'image', 'memoryMegabytes', 'port']

/** Every key of the configuration, wherever it stands. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(schema.properties ?? {}) : []
  return [...new Set([...own, ...Object.values(schema).flatMap(keysOf)])].sort()
}

const advice = expect.stringContaining('npx twotoken init --yes --force')

test.each([
  ['as it is', configurationTemplate],
  ['with every part switched on', switchedOn],
])('the template is valid %s once its variables are set', async (_, text) => {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'twotoken.yaml')
  await writeFile(file, text)
  const configuration = await loadConfiguration(file, environment)
  expect(configuration.mint?.apiKey).toBe('value-of-CALLING_API_KEY')
  if (text !== switchedOn) return
  expect(configuration.mint?.keys.suspended).toEqual({ key: 'value-of-KEY_SUSPENDED', attested: true })
  expect(configuration.waivers).toHaveLength(1)
  // Plain http would leave BACK-16 untested.
  expect(configuration.backend?.fakeMint?.tls).toBe(true)
  expect(configuration.start).toMatchObject({ compose: join(folder.path, 'docker-compose.yml') })
})

test('the template names every key of the file, but those of an image', () => {
  const isNamed = (name: string) => new RegExp(`\\b${name}:`).test(configurationTemplate)
  expect(keysOf(configurationJsonSchema()).filter((name) => !isNamed(name))).toEqual(keysOfImage)
})

test('writes the template, and overwrites a file with --force alone', async () => {
  await using folder = await openTempFolder()
  const { path: directory } = folder
  const file = join(directory, 'twotoken.yaml')
  expect(await initialise({ directory })).toEqual({ said: [`wrote ${file}`, advice], plan: null })
  await writeFile(file, 'name: mine\n')
  await expect(initialise({ directory })).rejects.toMatchObject({ code: 'usage' })
  expect(await readFile(file, 'utf8')).toBe('name: mine\n')
  const said = [`overwrote ${file}`, advice]
  expect(await initialise({ directory, force: true })).toEqual({ said, plan: null })
  expect(await readFile(file, 'utf8')).toBe(configurationTemplate)
  const absent = initialise({ directory: join(directory, 'absent') })
  await expect(absent).rejects.toMatchObject({ code: 'unwritable' })
})
