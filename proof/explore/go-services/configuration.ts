import type { ExploredRole } from '../../../src/requirement/explored-roles.ts'

export type ServiceRole = Exclude<ExploredRole, 'client'>

export interface GoService {
  readonly role: ServiceRole
  /** A fault, the number of an automaton, or a habit. */
  readonly name: string
  readonly isConforming: boolean
  readonly latencyMs: number
  /** Requests a second; 0 for no limit. */
  readonly rate: number
}

const keys = {
  apiKey: 'ac_live_Zx81kQp0vTn4LrYs6WbHq2Fd',
  otherProjectKey: 'ac_live_Pw77mNb2cVx5ZaQs1WeRt9Yu',
  keys: {
    trialEnded: 'ac_live_Tt22mNb2cVx5ZaQs1WeRt9Yu',
    suspended: 'ac_live_Ss33mNb2cVx5ZaQs1WeRt9Yu',
    capped: 'ac_live_Cc11mNb2cVx5ZaQs1WeRt9Yu',
  },
}

/** The configuration of a service that listens on the port, and whose mint double listens on the next one. */
export function configure(service: GoService, program: string, port: number): object {
  const { role, name, isConforming, latencyMs, rate } = service
  const url = `http://127.0.0.1:${port}`
  const command = [
    ...[program, '--role', role, '--port', port, '--latency', latencyMs, '--rate', rate],
    ...[isConforming ? '--habit' : '--fault', name, '--mint', `http://127.0.0.1:${port + 1}`],
  ].join(' ')
  const common = { name: `${role} ${name}`, start: { command }, limits: { neverSeconds: 20 } }
  if (role === 'mint') return { ...common, mint: { url, minTtlSeconds: 2, ...keys } }
  if (role === 'backend') return { ...common, ...configureBackend(url, port + 1) }
  return {
    ...common,
    mint: { url, apiKey: keys.apiKey, minTtlSeconds: 2 },
    signaling: { url: `ws://127.0.0.1:${port}/rtc`, profile },
  }
}

const profile = {
  carriage: { in: 'message', template: '{"token":"{jwt}","user":"{userId}"}' },
  declaredUser: { in: 'carriage' },
  success: [{ frame: { path: '$.type', equals: 'ready' } }],
  failure: [{ close: [4401, 1008, 4000, 1013, 4429] }, { http: [429, 503] }],
  unauthorized: [{ close: [4401] }],
}

function configureBackend(url: string, mintPort: number): object {
  const login = (user: string, ttl = 3600) => ({
    command: `curl -sS --fail -X POST -H 'content-type: application/json' -d '{"user":"${user}","ttl":${ttl}}' ${url}/login | sed 's/.*"session": *"\\([^"]*\\)".*/\\1/'`,
    freshEverySeconds: 1800,
  })
  return {
    backend: {
      url: `${url}/calls/token`,
      sessions: {
        alice: { token: login('u-alice'), userId: 'u-alice' },
        aliceSecondDevice: { token: login('u-alice'), userId: 'u-alice' },
        bob: { token: login('u-bob'), userId: 'u-bob' },
        expired: { token: { command: login('u-alice', -60).command } },
      },
      fakeMint: { listen: `127.0.0.1:${mintPort}`, apiKey: keys.apiKey },
    },
    hooks: {
      signOut: {
        command: `curl -sS --fail -X POST -H "authorization: Bearer $TWOTOKEN_SESSION" ${url}/logout`,
      },
    },
  }
}
