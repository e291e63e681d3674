import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { loadConfiguration } from '../load.ts'

export const directory = await mkdtemp(join(tmpdir(), 'twotoken-configuration-'))
afterAll(() => rm(directory, { recursive: true }))

export const key = `ac_live_${'k'.repeat(40)}`

export async function load(text: string | Uint8Array, environment: NodeJS.ProcessEnv = {}) {
  const file = join(directory, 'twotoken.yaml')
  await writeFile(file, text)
  return loadConfiguration(file, environment)
}

/** Returns the complaint of loading, with the folder left out. */
export async function complaint(text: string | Uint8Array, environment: NodeJS.ProcessEnv = {}) {
  const error: unknown = await load(text, environment).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: 'TwotokenError' })
  const { code, message } = error as { code: string; message: string }
  return { code, message: message.replaceAll(`${directory}/`, '') }
}

export const profile = `
signaling:
  url: wss://signal.example.com/ws
  profile:
    carriage: { in: header, name: Authorization, template: "Bearer {jwt}" }
    success: [ { frame: { path: $.type, equals: welcome } } ]
`

/** A file with such lines of the mint besides what it must have. */
export const mint = (lines: string) => `mint:\n  url: https://api.example.com\n  apiKey: \${KEY}\n${lines}`
