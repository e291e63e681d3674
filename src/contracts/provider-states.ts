import { randomBytes } from 'node:crypto'
import type { HttpClient } from '../base/http/client.ts'
import { parsedJson } from '../base/http/incoming.ts'
import { stateCommandSeconds } from '../base/times.ts'
import { isRecord } from '../base/tokens/decode.ts'
import { type CommandSurroundings, runCommand } from '../configuration/command.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { StateKey } from '../roles/mint/configuration.ts'
import type { ScriptedMint } from '../roles/mint/double.ts'
import type { PactState } from './pact-file.ts'

export type StateValues = Readonly<Record<string, unknown>>

export type StateOutcome =
  | {
      readonly kind: 'ready'
      readonly values: StateValues
      readonly vouched: boolean
      /** Asked after the interaction: why the state turned out to have had no bearing on it, or `null`. */
      readonly unmet?: () => string | null
    }
  /** The configuration has nothing to set it up with. */
  | { readonly kind: 'impossible'; readonly reason: string }
  /** The endpoint or command that sets it up failed. */
  | { readonly kind: 'broken'; readonly reason: string }

export type StateHandler = (state: PactState, action: 'setup' | 'teardown') => Promise<StateOutcome>

const ready = (values: StateValues = {}, vouched = true): StateOutcome => ({ kind: 'ready', values, vouched })
const impossible = (reason: string): StateOutcome => ({ kind: 'impossible', reason })
const broken = (reason: string): StateOutcome => ({ kind: 'broken', reason })

/** Sets up the states of the committed contracts from the keys and sessions of the configuration. */
export function createConfiguredStates(
  { mint, backend }: Configuration,
  double: ScriptedMint | undefined,
): StateHandler {
  const key = (given: StateKey | undefined, name: string): StateOutcome =>
    given === undefined
      ? impossible(`needs a key in this state: mint.keys.${name}`)
      : ready({ apiKey: given.key }, given.attested)
  const session = (token: string | undefined, name: string): StateOutcome =>
    token === undefined
      ? impossible(`needs a session in this state: backend.sessions.${name}`)
      : ready({ session: token })

  const known: Readonly<Record<string, Readonly<Record<string, () => StateOutcome>>>> = {
    'an API key': {
      active: () =>
        mint === undefined || mint.apiKey === ''
          ? impossible('needs an API key: mint.apiKey')
          : ready({ apiKey: mint.apiKey }),
      unknown: () => ready({ apiKey: `ac_live_${randomBytes(20).toString('hex')}` }),
      'trial ended': () => key(mint?.keys.trialEnded, 'trialEnded'),
      suspended: () => key(mint?.keys.suspended, 'suspended'),
      'at its cap': () => key(mint?.keys.capped, 'capped'),
    },
    'a session': {
      live: () => session(backend?.sessions.alice?.token, 'alice'),
      invalid: () => ready({ session: randomBytes(24).toString('base64url') }),
      expired: () => session(backend?.sessions.expired?.token, 'expired'),
    },
    'a mint': {
      working() {
        double?.answer(null)
        return ready()
      },
      failing() {
        if (double === undefined)
          return impossible('needs the backend to be pointed at the mint double: backend.fakeMint')
        let called = false
        double.answer(() => {
          called = true
          return { status: 500, body: '{"error":{"message":"the mint failed"}}' }
        })
        const unmet = () => (called ? null : 'the backend did not ask the mint while it failed')
        return { kind: 'ready', values: {}, vouched: true, unmet }
      },
    },
  }
  return async ({ name, params }, action) => {
    if (action === 'teardown') return ready()
    const parameter = String(params['state'])
    const found = known[name]?.[parameter]
    if (found !== undefined) return found()
    const shown = known[name] === undefined ? name : `${name} (state: ${parameter})`
    return impossible(`unknown provider state "${shown}"; use --state-url or --state-command to set it up`)
  }
}

/** Sets up states by a POST of `{ action, state, params }`; the answer of the endpoint is the values. */
export function createEndpointStates(url: string, http: HttpClient): StateHandler {
  return async ({ name, params }, action) => {
    const reply = await http.send({
      to: 'listener',
      method: 'POST',
      url,
      headers: [['content-type', 'application/json']],
      body: JSON.stringify({ action, state: name, params }),
    })
    if (reply.kind === 'no-answer')
      return broken(`the state endpoint ${reply.message} for the state "${name}"`)
    if ([400, 404, 422, 501].includes(reply.status))
      return impossible(`the state endpoint rejected the state "${name}" (status ${reply.status})`)
    if (reply.status < 200 || reply.status > 299)
      return broken(`the state endpoint failed for the state "${name}" (status ${reply.status})`)
    return ready(isRecord(reply.json) ? reply.json : {})
  }
}

/** Sets up states by a command that reads `{ action, state, params }` and may print a JSON object of values. */
export function createCommandStates(command: string, surroundings: CommandSurroundings): StateHandler {
  return async ({ name, params }, action) => {
    const outcome = await runCommand(command, {
      ...surroundings,
      commandSeconds: stateCommandSeconds,
      mayBeSilent: true,
      startsServices: true,
      input: JSON.stringify({ action, state: name, params }),
    })
    if ('failure' in outcome) return broken(`--state-command, for the state "${name}", ${outcome.failure}`)
    const values = outcome.output === '' ? {} : parsedJson(outcome.output)
    if (isRecord(values)) return ready(values)
    return broken(`--state-command printed no JSON object for the state "${name}"; print one, or nothing`)
  }
}

/** Asks the operator's own handler first, and takes what it does not set up from the configuration. */
export function combineStates(own: StateHandler | undefined, configured: StateHandler): StateHandler {
  if (own === undefined) return configured
  return async (state, action) => {
    const [first, second] = [await own(state, action), await configured(state, action)]
    if (first.kind === 'broken') return first
    if (first.kind === 'impossible') return second.kind === 'ready' ? second : first
    if (second.kind !== 'ready') return first
    return { ...first, values: { ...second.values, ...first.values } }
  }
}
