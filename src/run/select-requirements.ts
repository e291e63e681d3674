import { TwotokenError } from '../base/errors.ts'
import { findNearestNames } from '../base/nearest-names.ts'
import type { DescribedCheck } from '../catalogue/described.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { roles } from '../requirement/define.ts'

export interface Selection {
  readonly suites?: readonly string[] | undefined
  readonly only?: readonly string[]
}

/** The requirements that `--suite` and `--only` leave; throws `usage` for an unknown name, and where none is left. */
export function selectRequirements<Check extends Pick<DescribedCheck, 'id' | 'role'>>(
  catalogue: readonly Check[],
  { suites, only }: Selection,
): Check[] {
  const known = catalogue.map(({ id }) => id)
  const ids = only?.map((id) => id.toUpperCase())
  for (const id of ids ?? [])
    if (!known.includes(id))
      throw new TwotokenError(
        'usage',
        `--only: unknown requirement "${id}"; did you mean ${findNearestNames(id, known, 1)}?`,
      )
  const names: readonly string[] = roles
  for (const suite of suites ?? [])
    if (!names.includes(suite))
      throw new TwotokenError('usage', `--suite: unknown suite "${suite}"; use ${names.join(', ')}`)
  const checks = catalogue.filter(
    ({ id, role }) => (ids?.includes(id) ?? true) && (suites?.includes(role) ?? true),
  )
  if (checks.length === 0) throw new TwotokenError('usage', 'no requirement matches both --suite and --only')
  return checks
}

const described = ['mint', 'backend', 'signaling', 'client', 'bundle'] as const
type DescribedPart = (typeof described)[number]

/** A part that is declared absent is described, too: its requirements do not apply. */
function has(part: DescribedPart, { absent, ...configuration }: Configuration): boolean {
  return configuration[part] !== undefined || absent.some(({ what }) => what === part)
}

/** Says whether the configuration has the part of a requirement; for one on a flow, a part at all and those that it needs. */
export function isDescribed({ role, needs }: DescribedCheck, configuration: Configuration): boolean {
  if (role !== 'flow') return has(role, configuration)
  const needed = (['mint', 'backend', 'signaling'] as const).filter((part) => has(part, configuration))
  return needed.length > 0 && needs.every((need) => !isPart(need) || has(need, configuration))
}

function isPart(name: string): name is DescribedPart {
  return (described as readonly string[]).includes(name)
}

/** The requirements on the described parts, and the line that names the other parts; throws where no part is described. */
export function keepDescribed(
  checks: readonly DescribedCheck[],
  configuration: Configuration,
): { readonly checks: readonly DescribedCheck[]; readonly note: string | null } {
  const kept = checks.filter((check) => isDescribed(check, configuration))
  if (kept.length === 0)
    throw new TwotokenError(
      'configuration',
      `the configuration describes no part: add ${described.join(', ')}, or several of them`,
    )
  const missing = roles.filter((role) => isPart(role) && !has(role, configuration))
  return {
    checks: kept,
    note: missing.length === 0 ? null : `not in the configuration, and not judged: ${missing.join(', ')}`,
  }
}
