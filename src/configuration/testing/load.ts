import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openTempFolder } from '../../base/temp-folder.ts'
import { loadConfiguration } from '../load.ts'

export const key = `ac_live_${'k'.repeat(40)}`

export async function load(text: string | Uint8Array, environment: NodeJS.ProcessEnv = {}) {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'twotoken.yaml')
  await writeFile(file, text)
  return await loadConfiguration(file, environment)
}

/** Returns the complaint of loading, with the folder left out. */
export async function complaint(text: string | Uint8Array, environment: NodeJS.ProcessEnv = {}) {
  const error: unknown = await load(text, environment).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: 'TwotokenError' })
  const { code, message } = error as { code: string; message: string }
  return { code, message: message.replaceAll(/\S*\/(?=twotoken\.yaml)/g, '') }
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
