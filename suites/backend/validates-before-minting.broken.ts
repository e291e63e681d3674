import { setTimeout as delay } from 'node:timers/promises'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { type Backend, guarding, type Inbound } from './lib/variants.ts'

type CallingToken = Backend['callingToken']
type Steps = Parameters<CallingToken>[1]

const serving = (callingToken: CallingToken): Catch => ({ backend: { callingToken } })
const usual = async ({ authenticate, mint, userId }: Steps) => mint(userId(await authenticate()))
/** A backend that mints before it goes through the usual steps, for this user where there is one. */
const mintsFirst = (userOf: (request: Inbound, steps: Steps) => string | undefined): Catch =>
  serving(async (request, steps) => {
    const user = userOf(request, steps)
    if (user !== undefined) await steps.mint(user)
    return await usual(steps)
  })
const sessionIn = ({ headers }: Inbound, { records }: Steps) =>
  records.byToken.get(headers.authorization?.slice(7) ?? '')

export const broken: BrokenVariants = {
  'mints before it looks at the session': mintsFirst(() => 'any-user'),
  'mints for a guest, behind its refusal': mintsBehind(0),
  'mints for a guest, 150 ms behind its refusal': mintsBehind(150),
  'mints for a fixed user after every response': mintsBehind(50, 'last-seen'),
  'looks for the sign-out after it has minted': mintsFirst((request, steps) => {
    const session = sessionIn(request, steps)
    return session !== undefined && steps.records.signedOut.has(session.id) ? session.userId : undefined
  }),
  'validates one method only': mintsFirst(({ method }) => (method === 'GET' ? 'any-user' : undefined)),
  'looks at the expiry after it has minted': serving(async (request, steps) => {
    const session = sessionIn(request, steps)
    const minted = session === undefined ? null : await steps.mint(session.userId)
    const live = await steps.authenticate()
    return minted ?? steps.mint(steps.userId(live))
  }),
  'mints for HEAD as for GET, and checks the sessions of GET': {
    backend: { methods: ['GET', 'HEAD', 'POST'], ...guarding(({ method }) => method !== 'HEAD') },
  },
}

/** A backend that mints for a guest behind its refusals, or for this user behind every response. */
function mintsBehind(ms: number, fixedUser?: string): Catch {
  return serving(async (_, steps) => {
    const mintLater = () => void delay(ms).then(() => steps.mint(fixedUser ?? 'guest').catch(() => undefined))
    const session = await steps.authenticate().catch((refused) => {
      mintLater()
      throw refused
    })
    try {
      return await steps.mint(steps.userId(session))
    } finally {
      if (fixedUser !== undefined) mintLater()
    }
  })
}
