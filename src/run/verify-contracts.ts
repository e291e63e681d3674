import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import { openNetwork } from '../base/http/network.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { ownPactsFolder, parsePact } from '../contracts/pact-file.ts'
import { selectByShape } from '../contracts/provider.ts'
import { verifyPacts } from '../contracts/verify.ts'
import type { CheckResult } from '../requirement/run.ts'
import { joinSideRuns, type SideRun, withOwnIds } from './worker-protocol.ts'

/** Verifies the committed contracts with every provider. Called after the checks: only one process can be the mint double. */
export async function verifyContracts(
  configuration: Configuration,
  options: { readonly doubleCertificate?: TestableCertificate } = {},
): Promise<SideRun> {
  const network = await openNetwork(configuration)
  const names = await readdir(ownPactsFolder)
  const pacts = await Promise.all(
    names.map(async (name) => parsePact(await readFile(join(ownPactsFolder, name), 'utf8'), name)),
  )
  const runs: SideRun[] = []
  for (const role of ['mint', 'backend'] as const)
    if (configuration[role] !== undefined) {
      const { judged, exchanges, secrets } = await verifyPacts({
        role,
        configuration,
        choose: ({ shape }) =>
          selectByShape(
            pacts.filter(({ provider }) => provider === role),
            shape,
          ),
        network,
        ...options,
      }).catch((error: unknown) => reportLostProvider(role, error))
      const checks = judged.map(({ check }) => check)
      runs.push(withOwnIds({ checks, exchanges, secrets }, `${role}-contract-`))
    }
  return joinSideRuns(runs)
}

/** A provider that cannot be reached any more is one `error`; the results of the checks are kept. */
function reportLostProvider(role: 'mint' | 'backend', error: unknown) {
  if (!(error instanceof TwotokenError)) throw error
  const check: CheckResult = {
    id: `PACT-${role.toUpperCase()}`,
    title: `Pact contracts of the ${role}`,
    role,
    level: 'MUST',
    clauses: [],
    verdict: 'error',
    reason: error.message,
    findings: [],
    observations: {},
    durationMs: 0,
  }
  return { judged: [{ check }], exchanges: [], secrets: [] }
}
