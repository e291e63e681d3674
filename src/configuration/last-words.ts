import { createHider } from '../base/evidence/hide.ts'
import { createFingerprintKey, createSecrets } from '../base/evidence/secrets.ts'
import { isUsual } from '../base/given-environment.ts'
import { onOneLine } from '../base/printable.ts'
import { readEnvFile } from './env-file.ts'

/** Shorter values of variables are numbers and flags. */
const shortestValue = 4
/** As much as fits into a sentence. */
const longestWords = 200
/** Stands for the value of a variable while the rest is masked. */
const mark = '\uE000'

/**
 * The last line that a failed command said on stderr, as ` and said "…"`; empty where it said nothing. The values of all variables
 * that it may have read, those of `.env` too, are hidden, and what is not known to be harmless.
 */
export async function lastWords(
  said: string,
  { directory, environment }: { readonly directory: string; readonly environment: NodeJS.ProcessEnv },
): Promise<string> {
  const line = said.trim().split('\n').at(-1) ?? ''
  if (line === '') return ''
  const { values } = await readEnvFile(directory, environment)
  const hidden = Object.entries(values)
    .flatMap(([name, value = '']) => (isUsual(name) || value.length < shortestValue ? [] : [value]))
    .toSorted((one, other) => other.length - one.length)
  const marked = hidden.reduce((text, value) => text.replaceAll(value, () => mark), line.replaceAll(mark, ''))
  const { text } = createHider({ secrets: createSecrets(), fingerprintKey: createFingerprintKey() })
  const shown = marked
    .split(mark)
    .map((part) => text(part))
    .join('‹a variable›')
  return ` and said "${onOneLine(shown).slice(0, longestWords)}"`
}
