import { TwotokenError } from '../base/errors.ts'
import { findNearestNames } from '../base/nearest-names.ts'
import type { DescribedCheck } from '../catalogue/described.ts'
import { roles } from '../requirement/define.ts'

export interface Selection {
  readonly suites?: readonly string[] | undefined
  readonly only?: readonly string[]
}

/**
 * The requirements that `--suite` and `--only` leave.
 * @throws TwotokenError `usage` for an unknown name, and where no requirement is left
 */
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
