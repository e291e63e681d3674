import { auditCases } from './audit-cases.ts'
import { commandCases } from './command-cases.ts'
import type { HostileCase } from './hostile-case.ts'
import { lieCases } from './lies/lie-cases.ts'
import { runCases } from './run-cases.ts'
import { wordCases } from './word-cases.ts'

/** Every case, of all parts of the suite. */
export const hostileCases: readonly HostileCase[] = [
  ...auditCases,
  ...lieCases,
  ...commandCases,
  ...runCases,
  ...wordCases,
]
