import { fileURLToPath, pathToFileURL } from 'node:url'
import { TwotokenError } from './errors.ts'
import { onOneLine } from './printable.ts'

/** The user's modules that this process has loaded, each with its key in the configuration. */
const loaded = new Map<string, string>()

/**
 * Imports a module that the configuration names.
 * @param key of the configuration, such as `client.driver`
 * @throws TwotokenError `configuration` where there is no such module, or it breaks while it loads
 */
export async function importUserModule(key: string, file: string): Promise<Record<string, unknown>> {
  loaded.set(file, key)
  return await import(pathToFileURL(file).href).catch((error: unknown) => {
    const why = messageOf(error)
    const isMissing = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND' && why.includes(file)
    throw new TwotokenError(
      'configuration',
      isMissing
        ? `${key} ${file} does not exist: correct the path`
        : `${key} ${file} cannot be loaded: ${why}`,
      error,
    )
  })
}

/**
 * The user's error, where one that nothing caught comes from a module of theirs: its stack names the module, or the only
 * module of the process has caused one that has no code of the suite in its stack (a connection without a listener, say).
 */
export function blameUserModule(error: unknown): TwotokenError | null {
  if (error instanceof TwotokenError) return null
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').flatMap((line) => {
    const { file, line: at } =
      /(?<file>(?:file:\/\/)?\/?[^\s()]+):(?<line>\d+):\d+\)?$/.exec(line)?.groups ?? {}
    return file === undefined ? [] : [{ file: pathOf(file), at }]
  })
  const own = frames.find(({ file }) => loaded.has(file))
  const [sole] = loaded.size === 1 && !frames.some(({ file }) => isOfSuite(file)) ? loaded.keys() : []
  const file = own?.file ?? sole
  if (file === undefined) return null
  const where = own === undefined ? file : `${file}:${own.at}`
  return new TwotokenError(
    'configuration',
    `${loaded.get(file)} ${where} let an error pass that nothing caught (${messageOf(error)}): await each promise, and listen to the "error" event of what it opens`,
    error,
  )
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file
}

const suite = fileURLToPath(new URL('..', import.meta.url))

function isOfSuite(file: string): boolean {
  return file.startsWith(suite)
}

function messageOf(error: unknown): string {
  return onOneLine(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
}
