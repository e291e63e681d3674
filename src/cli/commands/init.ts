import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { TwotokenError } from '../../base/errors.ts'
import { customiseTemplate } from '../init/customise-template.ts'
import { inspectFolder } from '../init/findings.ts'
import { askQuestions, type Dialogue } from '../init/questions.ts'
import { configurationTemplate } from '../init/template.ts'

export interface InitOptions {
  readonly directory: string
  /** Overwrites an existing file. */
  readonly force?: boolean
  /** Asks the user; without it the template is written unchanged. */
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
  // Before the first question.
  if (isThere && !force) throw existsError(file)
  const text = dialogue === undefined ? configurationTemplate : await fillTemplate(dialogue, directory)
  await writeFile(file, text, { flag: force ? 'w' : 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EEXIST') throw existsError(file, cause)
    throw new TwotokenError(
      'unwritable',
      `cannot write ${file} (${cause.code}): make the folder writable`,
      cause,
    )
  })
  return `${isThere ? 'overwrote' : 'wrote'} ${file}`
}

async function fillTemplate(dialogue: Dialogue, directory: string): Promise<string> {
  const findings = await inspectFolder(directory)
  const answers = await askQuestions(dialogue, findings, basename(directory) || 'my-implementation')
  return customiseTemplate(configurationTemplate, answers, findings)
}

function existsError(file: string, cause?: unknown): TwotokenError {
  return new TwotokenError('usage', `${file} already exists: keep it, or overwrite it with --force`, cause)
}
