import type { DeepVariant } from '../../fixtures/explore/deep-variant.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { ExploredRole } from '../../src/requirement/explored-roles.ts'
import { proveUnaccused } from '../variants/prove.ts'

/** The fixed requirements that catch a deep variant: there should be none. */
export async function listCatching(role: ExploredRole, { variant, restart }: DeepVariant): Promise<string[]> {
  restart()
  const checks = await loadCatalogue([role, 'flow'])
  const cells = await proveUnaccused(checks, 'deep', { variant })
  restart()
  return cells
    .filter(({ result: { verdict } }) => verdict === 'fail' || verdict === 'warn')
    .map(
      ({ requirement, result: { verdict, reason, findings } }) =>
        `${requirement} ${verdict} (${findings.find((one) => one.verdict === verdict)?.message ?? reason ?? ''})`,
    )
}
