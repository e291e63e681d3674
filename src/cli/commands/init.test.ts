import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configurationJsonSchema } from '../../configuration/json-schema.ts'
import { loadConfiguration } from '../../configuration/load.ts'
import { configurationTemplate } from '../init/template.ts'
import { initialise } from './init.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'twotoken-init-'))
})
afterEach(() => rm(directory, { recursive: true }))

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

/** The advice on a file that describes no backend. */
const advice = expect.stringContaining('npx twotoken init --yes --force')

describe('init', () => {
  it('writes a configuration that is valid once its variables are set', async () => {
    const file = join(directory, 'twotoken.yaml')
    expect(await initialise({ directory })).toEqual({ said: [`wrote ${file}`, advice], plan: null })
    const configuration = await loadConfiguration(file, environment)
    expect(configuration.mint?.apiKey).toBe('value-of-CALLING_API_KEY')
    expect(configuration.signaling?.access).toHaveProperty('profile.carriage.template', 'Bearer {jwt}')
  })

  it('writes parts that are valid when all of them are switched on', async () => {
    const file = join(directory, 'twotoken.yaml')
    await writeFile(file, switchedOn)
    const configuration = await loadConfiguration(file, environment)
    expect(configuration.mint?.keys.suspended).toEqual({ key: 'value-of-KEY_SUSPENDED', attested: true })
    expect(configuration.waivers).toHaveLength(1)
    // Plain http would leave BACK-16 untested.
    expect(configuration.backend?.fakeMint?.tls).toBe(true)
    expect(configuration.start).toMatchObject({ compose: join(directory, 'docker-compose.yml') })
  })

  it('names every key of the file, but those of an image', () => {
    const isNamed = (name: string) => new RegExp(`\\b${name}:`).test(configurationTemplate)
    expect(keysOf(configurationJsonSchema()).filter((name) => !isNamed(name))).toEqual(keysOfImage)
  })

  it('refuses to overwrite a file unless it is told to', async () => {
    const file = join(directory, 'twotoken.yaml')
    await writeFile(file, 'name: mine\n')
    await expect(initialise({ directory })).rejects.toMatchObject({ code: 'usage' })
    expect(await readFile(file, 'utf8')).toBe('name: mine\n')
    expect(await initialise({ directory, force: true })).toEqual({
      said: [`overwrote ${file}`, advice],
      plan: null,
    })
    expect(await readFile(file, 'utf8')).toBe(configurationTemplate)
  })

  it('says when the folder cannot be written', async () => {
    await expect(initialise({ directory: join(directory, 'absent') })).rejects.toMatchObject({
      code: 'unwritable',
    })
  })
})
