import type { Answer, Reply } from '../../base/http/client.ts'
import { createLimiter } from '../../base/http/limiter.ts'
import { readRateLimit } from '../../base/http/read-rate-limit.ts'
import { tellingWait } from '../../base/told-wait.ts'
import { composeRequest } from '../../roles/backend/compose-request.ts'
import type { BackendConfiguration, ConfiguredSession } from '../../roles/backend/configuration.ts'
import type { DoubleCall, ScriptedMint } from '../../roles/mint/double.ts'
import type { Probing } from './probe.ts'

export const askedUsers = ['alice', 'aliceSecondDevice', 'bob'] as const
export type AskedUser = (typeof askedUsers)[number]

/** One ordinary request with a session, and what of it reached the mint double. */
export interface Asked<Kind extends Reply = Reply> {
  readonly name: AskedUser
  readonly session: ConfiguredSession
  readonly reply: Kind
  readonly calls: readonly DoubleCall[]
  readonly hasConnected: boolean
}

export function createAsking(
  backend: BackendConfiguration,
  { http, clock, configuration, tellWait }: Probing,
  double: ScriptedMint | null,
) {
  const limiter = createLimiter(clock, configuration.limits)
  const send = (session: string | null, method = backend.method, userId?: string): Promise<Reply> => {
    const authorization = session === null ? null : `Bearer ${session}`
    const composed = composeRequest({ ...backend, method }, { authorization, userId })
    return limiter.send(() => http.send({ to: 'backend', ...composed, newConnection: true }), readRateLimit)
  }
  return {
    /** One request with this user's session after a pause, on its own connection; undefined where there is no such session. */
    async ask(name: AskedUser, afterMs = 0): Promise<Asked | undefined> {
      const session = backend.sessions[name]
      if (session === undefined) return undefined
      if (afterMs > 0)
        await tellingWait(() => clock.until(clock.monotonic() + afterMs), {
          what: 'waiting for a cached token to expire',
          longestMs: afterMs,
          tell: tellWait,
        })
      const [callsBefore, connectionsBefore] = [double?.calls().length ?? 0, double?.connections() ?? 0]
      const reply = await send(session.token, backend.method, session.userId)
      return {
        name,
        session,
        reply,
        calls: double?.calls().slice(callsBefore) ?? [],
        hasConnected: (double?.connections() ?? 0) > connectionsBefore,
      }
    },
    askOtherwise: send,
  }
}

export type Asking = ReturnType<typeof createAsking>

export function isAnswered(asked: Asked): asked is Asked<Answer> {
  return asked.reply.kind === 'answer'
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299
}
