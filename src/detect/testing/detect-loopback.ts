import { randomBytes } from 'node:crypto'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { Untested } from '../../base/inconclusive.ts'
import { scrambleToken } from '../../base/tokens/damage-token.ts'
import { createProfileConnector } from '../../roles/signaling/profile-connector.ts'
import { type Loopback, type Script, startService } from '../../roles/signaling/testing/loopback.ts'
import { type FoundSignaling, findProfile } from '../find-profile.ts'
import { createLoopClock } from './loop-clock.ts'

/** Tokens that a service of a few lines can tell from others, and whose they are; and its clock. */
export interface Tokens {
  /** The user of a good token; undefined for anything else. */
  userOf(token: string | null | undefined): string | undefined
  readonly issued: ReadonlyMap<string, string>
  /** Acts once so many milliseconds have passed. */
  after(milliseconds: number, act: () => void): void
}

/** Runs the detection against a service of a few lines; the reason where it finds nothing. */
export async function detectAt(
  script: (tokens: Tokens) => Script,
  { attempts = 250, mints = 100 } = {},
): Promise<FoundSignaling | string> {
  const issued = new Map<string, string>()
  const clock = createLoopClock()
  const tokens: Tokens = {
    userOf: (token) => issued.get(token ?? ''),
    issued,
    after: (milliseconds, act) => void clock.until(clock.monotonic() + milliseconds).then(act),
  }
  await using service: Loopback = await startService(script(tokens))
  const left = { attempts, mints }
  const redactor = createRedactor()
  const shared = {
    journal: createJournal(),
    redactor,
    clock,
    runStart: clock.monotonic(),
    frameBytes: 65_536,
  }
  let users = 0
  const newUser = () => `user-${++users}-${randomBytes(3).toString('hex')}`
  const fresh = async () => {
    if (left.mints-- <= 0) throw new Untested('no result with so many calling tokens')
    const [jwt, userId] = [jwtOf(), newUser()]
    issued.set(jwt, userId)
    return { jwt, userId }
  }
  try {
    return await findProfile({
      fresh,
      garbage: () => ({ jwt: scrambleToken(jwtOf()), userId: newUser() }),
      connectorFor(profile) {
        if (left.attempts-- <= 0) throw new Untested('no result within so many attempts')
        return createProfileConnector({ ...shared, url: service.url, profile })
      },
      onProgress: () => {},
    })
  } catch (error) {
    if (error instanceof Untested) return error.message
    throw error
  }
}

function jwtOf(): string {
  const part = (text: string) => Buffer.from(text).toString('base64url')
  const claims = JSON.stringify({ sub: randomBytes(8).toString('hex') })
  return `${part('{"alg":"HS256","typ":"JWT"}')}.${part(claims)}.${randomBytes(32).toString('base64url')}`
}
