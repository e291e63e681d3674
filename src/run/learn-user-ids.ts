import { tellingIn } from '../base/told-wait.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { RunEnvironment } from './options.ts'
import { createAsking } from './preflight/ask-sessions.ts'
import { withListeningDouble } from './preflight/listening-double.ts'
import { openProbing } from './preflight/probe.ts'
import { loadStarted } from './prepare-configuration.ts'
import { rejectOnAbort } from './provision/concurrency.ts'
import { assertWritable, createDoubleCertificate, resultsIn } from './write-artefacts.ts'

/**
 * The ids for which the backend mints with the sessions of alice and bob; null where they are not two different ones.
 * @throws TwotokenError where the backend does not start, or gives no session
 */
export async function learnUserIds(
  file: string,
  { variables, stderr }: RunEnvironment,
  signal: AbortSignal,
): Promise<{ alice: string; bob: string; session: string } | null> {
  await using stack = new AsyncDisposableStack()
  const beforeStart = async (draft: Configuration) => {
    const out = resultsIn(draft.directory)
    await assertWritable(out)
    return await createDoubleCertificate(draft, out, { write: () => true })
  }
  const loading = { variables, stderr, signal, contactedBy: ['backend'] as const, beforeStart }
  const { configuration, certificate } = await loadStarted(file, loading, stack)
  const { backend } = configuration
  if (backend?.fakeMint === undefined) return null

  await using probing = await openProbing(configuration, tellingIn(stderr))
  const listening = { certificate: certificate.doubleCertificate, forwards: false }
  const learning = withListeningDouble(backend.fakeMint, probing, listening, async (double) => {
    const asking = createAsking(backend, probing, double)
    const idOf = async (name: 'alice' | 'bob') =>
      (await asking.ask(name))?.calls.flatMap(({ userId }) => userId ?? [])[0]
    return { alice: await idOf('alice'), bob: await idOf('bob') }
  })
  const minted = await rejectOnAbort(learning, signal)
  if ('kind' in minted) return null
  const { alice, bob } = minted
  const session = backend.sessions.alice?.token ?? ''
  return alice === undefined || bob === undefined || alice === bob ? null : { alice, bob, session }
}
