import type { Command } from 'commander'
import { TwotokenError } from '../base/errors.ts'
import { removedWords } from '../base/removed.ts'

/**
 * Rejects a command, an option or an argument that is gone, with what to do instead.
 * @throws TwotokenError `usage`
 */
export function rejectRemoved(program: Command, argv: readonly string[]): void {
  const isAudit = program.name() === 'twotoken-audit'
  const given = (isAudit ? ['audit', ...argv] : argv).flatMap((word) =>
    word.startsWith('--') ? word.split('=', 2) : [word],
  )
  for (const [text, instead] of Object.entries(removedWords)) {
    const [name, ...words] = text.split(' ')
    const isGiven =
      given[0] === name && (words.length === 0 || given.some((_, at) => startsWith(given.slice(at), words)))
    if (!isGiven) continue
    const command = isAudit ? program : program.commands.find((one) => one.name() === name)
    if (command === undefined || !takes(command, words))
      throw new TwotokenError('usage', `${text} was removed: ${instead}`)
  }
}

function startsWith(given: readonly string[], words: readonly string[]): boolean {
  return words.every((word, at) => given[at] === word)
}

/** Says whether a command has this word as an option or an argument. */
function takes(command: Command, [word = '', ...more]: readonly string[]): boolean {
  if (more.length > 0) return false
  return (
    command.options.some(({ long }) => long === word) ||
    command.registeredArguments.some(({ argChoices }) => argChoices?.includes(word))
  )
}
