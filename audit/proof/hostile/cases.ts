import { auditCases } from './audit-cases.ts'
import type { HostileCase } from './hostile-case.ts'

/** Every case. Another part of the suite adds its list here. */
export const hostileCases: readonly HostileCase[] = [...auditCases]
