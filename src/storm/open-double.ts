import { systemClock } from '../base/clock.ts'
import { createMutex } from '../base/mutex.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import { openMintDouble } from '../roles/mint/open-double.ts'
import type { Profile } from './profiles.ts'
import { plainRedactor, silentJournal, type Target } from './target.ts'

/** The mint that the backend under load asks: it forwards to the real one where there is one. */
export interface StormDouble extends AsyncDisposable {
  /** Runs the load, while the double answers as the profile says. */
  during<T>(profile: Profile, run: () => Promise<T>): Promise<T>
}

/** @returns null where the backend asks its own mint */
export async function openStormDouble(
  { configuration, mint }: Target,
  certificate: TestableCertificate | undefined,
): Promise<StormDouble | null> {
  const { backend, limits } = configuration
  if (backend?.fakeMint === undefined) return null
  const double = await openMintDouble(backend.fakeMint, {
    realMint: mint ?? undefined,
    testKey: null,
    certificate,
    mutex: createMutex(),
    journal: silentJournal,
    redactor: plainRedactor,
    clock: systemClock,
    bodyBytes: limits.bodyBytes,
  })
  return {
    during: (profile, run) =>
      profile === 'cap'
        ? double.runExclusive(async (scripted) => {
            scripted.answer(() => ({
              status: 429,
              headers: { 'retry-after': '3600' },
              body: '{"error":"cap"}',
            }))
            return await run()
          })
        : run(),
    [Symbol.asyncDispose]: () => double[Symbol.asyncDispose](),
  }
}
