import { startReference } from '../../fixtures/stack.ts'
import { createWorkplace } from '../../src/cli/testing/workplace.ts'

/** The report of a run whose backend forwards the session to the mint: the picture of README, and the site's example. */
export async function exampleReport(): Promise<string> {
  await using reference = await startReference({
    withBundle: true,
    variant: {
      backend: {
        mintCall: (usual, { inbound }) => ({
          ...usual,
          headers: { ...usual.headers, 'x-forwarded-authorization': inbound.headers.authorization ?? '' },
        }),
      },
    },
  })
  await using place = await createWorkplace({ ...reference.written, name: 'acme-staging' })
  const { code, stderr } = await place.start(['run', '--suite', 'mint,backend,signaling,flow,bundle']).ended
  if (code !== 1) throw new Error(`expected a violation, the run ended with ${code}:\n${stderr}`)
  return await place.read('report.html')
}
