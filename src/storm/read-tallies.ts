import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import { partPrefix } from './hand-over.ts'
import { mergeTallies, type Tally, tallySchema } from './tally.ts'

/**
 * The figures of several machines as one: from their logs, or from `storm.json` of their results.
 * @param paths files, and folders of files
 * @throws TwotokenError `usage` where a file has no figures
 */
export async function readTallies(paths: readonly string[]): Promise<Tally> {
  const files = (await Promise.all(paths.map(listFiles))).flat()
  const parts = new Map<string, Tally>()
  for (const file of files) {
    const found = partsIn(await readFile(file, 'utf8'))
    if (found.length === 0)
      throw new TwotokenError(
        'usage',
        `--parts: ${file} has no figures of a storm: name logs of "artillery run", or storm.json of results`,
      )
    // A thread may say its figures more than once, and the last count.
    for (const [place, { id = `${file} ${place}`, ...tally }] of found.entries()) parts.set(id, tally)
  }
  const [first, ...others] = parts.values()
  if (first === undefined) throw new TwotokenError('usage', `--parts: ${paths.join(', ')} has no files`)
  return mergeTallies([first, ...others])
}

async function listFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new TwotokenError('usage', `--parts: ${path} cannot be read`)
  return found.isDirectory() ? (await readdir(path)).map((name) => join(path, name)) : [path]
}

const partSchema = tallySchema.extend({ id: tallySchema.shape.breaches.element.shape.id.optional() })

function partsIn(text: string) {
  const lines = text.split('\n').flatMap((line) => {
    const at = line.indexOf(partPrefix)
    return at < 0 ? [] : [line.slice(at + partPrefix.length)]
  })
  return (lines.length > 0 ? lines : [text]).flatMap((json) => {
    try {
      return partSchema.safeParse(JSON.parse(json)).data ?? []
    } catch {
      return []
    }
  })
}
