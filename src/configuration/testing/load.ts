import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { loadConfiguration } from '../load.ts'

export const key = `ac_live_${'k'.repeat(40)}`

/** Loads the text from a file in a folder of its own; complaints name the folder. */
async function loadIn(directory: string, text: string | Uint8Array, environment: NodeJS.ProcessEnv) {
  const file = join(directory, 'twotoken.yaml')
  await writeFile(file, text)
  return await loadConfiguration(file, environment)
}

async function inFolder<T>(act: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'twotoken-configuration-'))
  try {
    return await act(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}

export function load(text: string | Uint8Array, environment: NodeJS.ProcessEnv = {}) {
  return inFolder((directory) => loadIn(directory, text, environment))
}

/** Returns the complaint of loading, with the folder left out. */
export function complaint(text: string | Uint8Array, environment: NodeJS.ProcessEnv = {}) {
  return inFolder(async (directory) => {
    const error: unknown = await loadIn(directory, text, environment).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ name: 'TwotokenError' })
    const { code, message } = error as { code: string; message: string }
    return { code, message: message.replaceAll(`${directory}/`, '') }
  })
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
