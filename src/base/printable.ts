// The one place that makes text of a peer inert: of a service, a pact, a log, the name of a file. A report is also read on
// terminals, which follow escapes, and by CI systems, which follow commands in what a job prints.

/** Every end of a line but a plain one. */
const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g
/** Controls, and characters without a shape, such as those that reorder others; what XML 1.0 does not allow; half a character. */
export const shapeless = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\uFFFE\uFFFF]/gu
/** Matches the start of a command of GitHub, Azure Pipelines or TeamCity in a line. The two signs are to be broken. */
export const commandAnywhere = /##(?=\[|vso\[|teamcity\[)/gi
/** Matches the start of a GitHub command at the start of a line. */
const commandAtStart = /^([^\S\n\r\u2028\u2029]*)::/gm

/** Text of a peer without control characters. */
export function printable(text: string): string {
  return text.replace(lineEnds, '\n').replace(shapeless, '')
}

/** Only after `printable`: what it leaves out could make a command of two halves. */
function breakCommands(text: string): string {
  return text.replace(commandAnywhere, '# #').replace(commandAtStart, '$1: :')
}

/** Text of a peer for a console or a log, with its lines. */
export function onLines(text: string): string {
  return breakCommands(printable(text))
}

/** Text of a peer on one line, for a console and for the fields of a report. */
export function onOneLine(text: string): string {
  const lines = printable(text)
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').trim())
  return breakCommands(lines.filter((line) => line !== '').join(' '))
}
