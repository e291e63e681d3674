import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TwotokenError } from '../errors.ts'
import { configurationTemplate } from './template.ts'

/**
 * Writes a commented `twotoken.yaml` into a folder.
 * @returns the path of the file
 * @throws TwotokenError `usage` where there is one already and `force` is not given, `unwritable` where it cannot be written
 */
export async function initialise({
  directory,
  force = false,
}: {
  readonly directory: string
  readonly force?: boolean
}): Promise<string> {
  const file = join(directory, 'twotoken.yaml')
  await writeFile(file, configurationTemplate, { flag: force ? 'w' : 'wx' }).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EEXIST')
        throw new TwotokenError(
          'usage',
          `${file} exists already, expected no such file: keep it, or overwrite it with --force`,
          cause,
        )
      throw new TwotokenError(
        'unwritable',
        `${file} cannot be written (${cause.code}), expected a writable folder`,
        cause,
      )
    },
  )
  return file
}
