import { TwotokenError } from '../errors.ts'
import type { Redactor } from './redact.ts'

/**
 * The last look at an artefact before it is written: nothing in it may be a secret that the redactor knows or
 * recognises, in plain text or encoded.
 * @throws TwotokenError `secret-in-output`, which names the artefact and shows nothing of the secret
 */
export function assertNoSecret(name: string, text: string, redactor: Redactor): void {
  const clean = redactor.file(text)
  if (clean === text) return
  const lines = clean.split('\n')
  const at = text.split('\n').findIndex((line, index) => line !== lines[index]) + 1
  throw new TwotokenError(
    'secret-in-output',
    `${name} was not written: line ${at} contains a secret that should have been redacted. Please report this bug in twotoken`,
  )
}
