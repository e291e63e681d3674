import { disarmLabels } from '../../base/evidence/mask/labels.ts'
import { createMask } from '../../base/evidence/mask/mask.ts'
import { runsOf } from '../../base/evidence/mask/mask-exchange.ts'
import { createFingerprintKey, type Redactor } from '../../base/evidence/redact.ts'
import { onOneLine } from '../../base/printable.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { configuredNames } from '../../configuration/configured-names.ts'

/** Gives the end of what a program printed, indented for an error message. */
export type OutputQuote = (printed: string) => string

const shownLines = 12
const longestLine = 300
/** A frame of a stack in JavaScript and Java, where the reason is above all of them. */
const stackFrame = /^\s*at\s/

/**
 * Quotes the output of a started program, redacted and masked: it may hold secrets that the suite does not know.
 * @param file the image or compose file, whose name may be shown; a command line may hold a password
 */
export function createOutputQuote(configuration: Configuration, redactor: Redactor, file = ''): OutputQuote {
  const own = runsOf(redactor.text(`${file} ${configuration.directory}`))
  const names = new Set([...configuredNames(configuration, redactor), ...own])
  const mask = createMask({ fingerprintKey: createFingerprintKey(), names })
  return (printed) => quoteLastLines(redactor.text(disarmLabels(printed)), mask.text)
}

/** @param clean what may be shown of a line */
export function quoteLastLines(printed: string, clean: (line: string) => string): string {
  const lines = printed
    .split('\n')
    .filter((line) => line.trim() !== '' && !stackFrame.test(line))
    .slice(-shownLines)
    .map((line) => onOneLine(clean(line)))
  if (lines.length === 0) return '\n  it printed nothing'
  return `\n  its last lines:${lines.map((line) => `\n  | ${line.slice(0, longestLine)}`).join('')}`
}
