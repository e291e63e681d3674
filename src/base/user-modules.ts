import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { TwotokenError } from './errors.ts'
import { onOneLine } from './printable.ts'

/** The user's modules that this process has loaded, each with its key in the configuration. */
const loaded = new Map<string, string>()

/** Imports the module at this key of the configuration. Throws TwotokenError `configuration` where it cannot be loaded. */
export async function importUserModule(key: string, file: string): Promise<Record<string, unknown>> {
  if (!existsSync(file))
    throw new TwotokenError('configuration', `${key} ${file} does not exist: correct the path`)
  // A stack names a file by its real path.
  loaded.set(realpathSync(file), key)
  return await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new TwotokenError('configuration', `${key} ${file} cannot be loaded: ${messageOf(error)}`, error)
  })
}

const frame = /^ {4}at .*?(?<file>(?:file:\/\/)?\/?[^\s()]+):(?<at>\d+):\d+\)?$/

/** The user's error: an uncaught one with their module in its stack, or without code of the suite where one module is loaded. */
export function blameUserModule(error: unknown): TwotokenError | null {
  if (error instanceof TwotokenError) return null
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').flatMap((line) => {
    const { file, at } = frame.exec(line)?.groups ?? {}
    return file === undefined ? [] : [{ file: pathOf(file), at }]
  })
  const own = frames.find(({ file }) => loaded.has(file))
  const [sole] = loaded.size === 1 && !frames.some(({ file }) => isOfSuite(file)) ? loaded.keys() : []
  const file = own?.file ?? sole
  if (file === undefined) return null
  const advice = 'await each promise, and listen to the "error" event of each connection'
  const sentence =
    own === undefined
      ? `${loaded.get(file)} ${file} or a connection of twotoken did not catch an error (${messageOf(error)}): in the module, ${advice}`
      : `${loaded.get(file)} ${file}:${own.at} did not catch an error (${messageOf(error)}): ${advice}`
  return new TwotokenError('configuration', sentence, error)
}

function pathOf(file: string): string {
  return file.startsWith('file:///') && URL.canParse(file) ? fileURLToPath(file) : file
}

const suite = fileURLToPath(new URL('../..', import.meta.url))

function isOfSuite(file: string): boolean {
  return file.startsWith(suite) && !file.slice(suite.length).includes('node_modules')
}

function messageOf(error: unknown): string {
  return onOneLine(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
}
