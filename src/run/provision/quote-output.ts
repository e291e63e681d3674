import { createHider } from '../../base/evidence/hide.ts'
import { runsOf } from '../../base/evidence/hide-exchange.ts'
import { createFingerprintKey, createSecrets, type Secrets } from '../../base/evidence/secrets.ts'
import { onOneLine } from '../../base/printable.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { configuredNames, registerSecrets } from '../../configuration/register-secrets.ts'

export function secretsOf(configuration: Configuration): Secrets {
  const secrets = createSecrets()
  registerSecrets(configuration, secrets)
  return secrets
}

/** Gives the end of what a program printed, indented for an error message. */
export type OutputQuote = (printed: string) => string

const shownLines = 12
const longestLine = 300
/** A frame of a stack in JavaScript and Java, where the reason is above all of them. */
const stackFrame = /^\s*at\s/
/** A variable that a program misses, by its name: `CUSTOMER_DB_DSN`. */
const variable =
  /(?<![A-Za-z0-9_])[A-Z]{1,16}\d{0,2}(?:_(?:[A-Z]{1,16}\d{0,2}|\d{1,2})){1,5}(?![A-Za-z0-9_])/g
/** A package that a program misses: `Cannot find module 'lodash.merge'`. */
const missingPackage =
  /(?<=\b(?:module|package|named|library|gem|class) ["'`])[@A-Za-z][A-Za-z._@/-]{1,60}(?=["'`])/g

/**
 * Quotes the output of a program, which may have unknown secrets, with the variable or the package that it misses.
 * @param file the image or compose file, whose name may be shown; a command line may hold a password
 */
export function createOutputQuote(
  configuration: Configuration,
  file = '',
  secrets = secretsOf(configuration),
): OutputQuote {
  const own = runsOf(secrets.text(`${file} ${configuration.directory}`))
  const configured = configuredNames(configuration, secrets)
  return (printed) => {
    const text = secrets.text(printed)
    const missing = [variable, missingPackage].flatMap((pattern) => text.match(pattern) ?? []).flatMap(runsOf)
    const names = new Set([...configured, ...own, ...missing])
    const hider = createHider({ secrets, fingerprintKey: createFingerprintKey(), names })
    return quoteLastLines(printed, (line) => hider.text(line))
  }
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
