import type { Command } from 'commander'
import { describeAudit } from './audit-command.ts'
import { createProgram, parseCommandLine } from './command-line.ts'

/** `twotoken-audit`: `twotoken audit` as a command of its own. Returns the exit code. Never rejects. */
export function main(argv: readonly string[]): Promise<number> {
  const program = createProgram('twotoken-audit')
  return runAudit(program, program, argv)
}

/** `twotoken audit`, without the other commands: they take as long to describe as a small file takes to read. */
export function mainOfAudit(argv: readonly string[]): Promise<number> {
  const program = createProgram('twotoken')
  return runAudit(program, program.command('audit'), argv)
}

function runAudit(program: Command, audit: Command, argv: readonly string[]): Promise<number> {
  let exitCode = 0
  describeAudit(audit, argv, (code) => {
    exitCode = code
  })
  return parseCommandLine(program, argv, () => exitCode)
}
