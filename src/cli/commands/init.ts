import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import { customised } from '../init/customise-template.ts'
import { findingsIn } from '../init/findings.ts'
import { answersTo, type Dialogue } from '../init/questions.ts'
import { configurationTemplate } from '../init/template.ts'

export interface InitOptions {
  readonly directory: string
  /** Overwrites a file that is there. */
  readonly force?: boolean
  /** Somebody to ask; without one the template is written as it is. */
  readonly dialogue?: Dialogue
}

/**
 * Writes a commented `twotoken.yaml` into a folder.
 * @returns a sentence that says what was done with which file
 * @throws TwotokenError `usage` where there is one already and `force` is not given, `unwritable` where it cannot be written
 */
export async function initialise({ directory, force = false, dialogue }: InitOptions): Promise<string> {
  const file = join(directory, 'twotoken.yaml')
  const isThere = existsSync(file)
  // Before anybody is bothered with questions.
  if (isThere && !force) throw existing(file)
  const text = dialogue === undefined ? configurationTemplate : await answered(dialogue, directory)
  await writeFile(file, text, { flag: force ? 'w' : 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EEXIST') throw existing(file, cause)
    throw new TwotokenError(
      'unwritable',
      `${file} cannot be written (${cause.code}), expected a writable folder`,
      cause,
    )
  })
  return `${isThere ? 'overwrote' : 'wrote'} ${file}`
}

async function answered(dialogue: Dialogue, directory: string): Promise<string> {
  const findings = await findingsIn(directory)
  const answers = await answersTo(dialogue, findings, basename(directory) || 'my-implementation')
  return customised(configurationTemplate, answers, findings)
}

function existing(file: string, cause?: unknown): TwotokenError {
  return new TwotokenError(
    'usage',
    `${file} exists already, expected no such file: keep it, or overwrite it with --force`,
    cause,
  )
}
