import { TwotokenError } from '../base/errors.ts'
import { findNearestNames } from '../base/nearest-names.ts'
import type { Waiver } from '../configuration/configuration.ts'
import type { AnyCheck } from '../requirement/define.ts'

/**
 * A waiver of a requirement that there is not would silently do nothing. Those of contracts are known only once the
 * pacts have been read.
 * @throws TwotokenError `configuration`, with the nearest ids
 */
export function assertKnown(waivers: readonly Waiver[], catalogue: readonly AnyCheck[]): void {
  const ids = catalogue.map(({ id }) => id)
  const families = new Set(ids.map((id) => id.split('-')[0]))
  for (const { id } of waivers)
    if (families.has(id.split('-')[0]) && !ids.includes(id))
      throw new TwotokenError(
        'configuration',
        `waivers name ${id}, which is no requirement; the nearest are ${findNearestNames(id, ids)}`,
      )
}
