import { describeAudit } from './audit-command.ts'
import { createProgram, parseCommandLine } from './command-line.ts'

/** `twotoken-audit`: `twotoken audit` as a command of its own. Returns the exit code. Never rejects. */
export function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0
  const program = createProgram('twotoken-audit')
  describeAudit(program, argv, (code) => {
    exitCode = code
  })
  return parseCommandLine(program, argv, () => exitCode)
}
