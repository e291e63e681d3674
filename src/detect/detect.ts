import { openNetwork } from '../base/http/network.ts'
import { isInconclusive, Untested } from '../base/inconclusive.ts'
import { scrambleToken } from '../base/tokens/damage-token.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { createJudge } from '../requirement/judge.ts'
import { openSession } from '../requirement/session.ts'
import { paced } from '../roles/signaling/open-driver.ts'
import { createProfileConnector } from '../roles/signaling/profile-connector.ts'
import { type FoundSignaling, findProfile } from './find-profile.ts'

/** A service that leaves upgrades without an answer where it has given one is sick, and each of them costs a deadline. */
const mostUnanswered = 4

export interface Detection {
  /** The finding, or as a clause the reason why there is none. */
  readonly signaling: { readonly found: FoundSignaling } | { readonly missing: string }
  readonly mints: number
}

export interface DetectOptions {
  /** How many connections and calling tokens it may take, however slow the machine is. */
  readonly attempts?: number
  readonly maxMints?: number | undefined
  readonly onProgress?: (what: string) => void
  readonly signal?: AbortSignal
}

/** Finds out how signaling takes a calling token. It gets tokens for made-up users, and garbage; never the API key. */
export async function detect(
  configuration: Configuration,
  { attempts = 250, maxMints = 100, onProgress = () => {}, signal }: DetectOptions = {},
): Promise<Detection> {
  await using session = await openSession(configuration)
  const { clock, journal, secrets, pacers } = session
  const { signaling, limits } = configuration
  const network = await openNetwork(configuration)
  let [left, mints, unanswered] = [attempts, 0, 0]
  try {
    const parts = session.contextFor({ id: 'detect', needs: [] }, createJudge('INFO'))
    const tokens = 'missing' in parts ? undefined : parts.available('callingTokens')
    if (signaling === undefined || tokens === undefined || 'missing' in parts)
      throw new Untested('needs signaling.url, and a source of calling tokens: mint, or backend')
    let shape = 'x'.repeat(240)
    const answering = new Set<string>()
    const found = await findProfile({
      async fresh() {
        if (mints >= maxMints) throw new Untested(`no result with ${maxMints} calling tokens`)
        mints += 1
        const { jwt, userId } = await tokens.fresh()
        shape = jwt
        return { jwt, userId }
      },
      garbage: () => ({ jwt: scrambleToken(shape), userId: parts.newUser() }),
      connectorFor(profile) {
        if (signal?.aborted === true) throw new Untested('it was interrupted')
        if (left <= 0) throw new Untested(`no result within ${attempts} attempts`)
        left -= 1
        if (unanswered >= mostUnanswered)
          throw new Untested(`signaling left ${unanswered} upgrades without an answer`)
        const services = { journal, secrets, clock, network, frameBytes: limits.bodyBytes }
        const opened = createProfileConnector({ ...services, url: signaling.url, profile })
        const connector = paced(opened, pacers.of('signaling'))
        return {
          ...connector,
          async attempt(asked) {
            const made = await connector.attempt(asked)
            const entrance = JSON.stringify([profile.path, profile.subprotocols])
            if (!made.events.every(({ type }) => type === 'timeout')) answering.add(entrance)
            else if (answering.has(entrance)) unanswered += 1
            return made
          },
        }
      },
      onProgress,
    })
    return { signaling: { found }, mints }
  } catch (error) {
    if (!(error instanceof Error) || !isInconclusive(error)) throw error
    return { signaling: { missing: error.message }, mints }
  }
}
