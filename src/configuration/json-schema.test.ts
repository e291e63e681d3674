import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { isCredential } from './credentials.ts'
import { configurationJsonSchema } from './json-schema.ts'
import type { KeyPath } from './path.ts'

describe('the published JSON Schema', () => {
  it('is the one that the code gives: write it with node src/configuration/json-schema.ts', async () => {
    const published: unknown = JSON.parse(await readFile('schema/twotoken.schema.json', 'utf8'))
    expect(JSON.stringify(published)).toBe(JSON.stringify(configurationJsonSchema()))
  })

  it('lets a number and a choice come from the environment', () => {
    const schema = configurationJsonSchema()
    expect(schema).toHaveProperty('properties.backend.properties.method.anyOf.1.pattern')
    expect(schema).toHaveProperty('properties.limits.properties.bodyBytes.anyOf.1.pattern')
    expect(schema).toHaveProperty('properties.limits.properties.bodyBytes.default', 1_048_576)
  })

  it('lets a command stand exactly where credentials are known to be', () => {
    const paths = commandPaths(configurationJsonSchema(), [])
    expect(paths.length).toBeGreaterThan(10)
    // A hook prints nothing that is wanted, and the tool of the console one token for each user.
    const others = ['hooks.rotateKeys', 'mint.consoleToken']
    const credentials = paths.filter((path) => !others.includes(path.join('.')))
    expect(credentials.filter((path) => !isCredential(path))).toEqual([])
  })
})

/** Where the schema takes `{ command }` and nothing else in a mapping. */
function commandPaths(schema: unknown, path: KeyPath): KeyPath[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties = 'properties' in schema ? Object.entries(schema.properties ?? {}) : []
  const isCommand = properties.length === 1 && properties[0]?.[0] === 'command'
  const alternatives: unknown[] = 'anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf : []
  return [
    ...(isCommand ? [path] : properties.flatMap(([key, inner]) => commandPaths(inner, [...path, key]))),
    ...alternatives.flatMap((inner) => commandPaths(inner, path)),
  ]
}
