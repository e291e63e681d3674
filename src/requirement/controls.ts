import { describeFault, type Journal, type Party } from '../base/evidence/exchange.ts'
import { ControlLost } from '../base/inconclusive.ts'
import { controlLifetimeSeconds } from '../base/times.ts'
import type { UserSession } from '../roles/backend/configuration.ts'
import type { ScriptedMint } from '../roles/mint/double.ts'
import type { CommonContext } from './needs.ts'

/** Sends a part a request that every implementation serves; resolves with the ids of the exchanges. */
type Control = () => Promise<readonly string[]>

/** The fault that an ordinary request met, as a clause: "the mint did not answer within 10 s". */
export interface ControlFault {
  readonly met: string
  readonly evidence: readonly string[]
}

/** Before the second try and behind it. Every third connection may be a bad one, and one of the users may be. */
const rounds = 3

/** Asks these parts for something ordinary: returns what failed then, as a clause; null where all was served. */
export async function findFaultOfControls(
  parts: CommonContext,
  journal: Pick<Journal, 'faultOf'>,
  peers: ReadonlySet<Party>,
): Promise<string | null> {
  for (let round = 0; round < rounds; round += 1)
    for (const peer of peers) {
      const controls = listControls(peer, parts)
      if (controls.length === 0) return `no ordinary request to ${peer} is configured`
      const faults = await Promise.all(controls.map((control) => tryControl(control, journal)))
      const fault = faults.find((one) => one !== null)
      if (fault !== undefined) return fault.met
    }
  return null
}

/** Sends one ordinary request to a part; null where it was served, or none is configured. */
export async function askOrdinary(
  peer: Party,
  parts: CommonContext,
  journal: Pick<Journal, 'faultOf'>,
): Promise<ControlFault | null> {
  const [control] = listControls(peer, parts)
  return control === undefined ? null : await tryControl(control, journal)
}

/** Asks for what must be served. A refusal counts only between ordinary requests that were served: a ban may cause it. */
export async function askBetweenControls<Result>(
  ask: () => Promise<Result>,
  isServed: (result: Result) => boolean,
  control: () => Promise<unknown>,
): Promise<Result> {
  const first = await ask()
  if (isServed(first)) return first
  await control()
  const second = await ask()
  await control()
  return second
}

async function tryControl(control: Control, journal: Pick<Journal, 'faultOf'>): Promise<ControlFault | null> {
  try {
    const evidence = await control()
    const fault = evidence.map((id) => journal.faultOf(id)).find((one) => one !== null)
    return fault == null ? null : { met: describeFault(fault), evidence }
  } catch (error) {
    return {
      met: error instanceof Error ? error.message : String(error),
      evidence: error instanceof ControlLost ? error.evidence : [],
    }
  }
}

function listControls(peer: Party, parts: CommonContext): readonly Control[] {
  if (peer === 'mint') return mintControls(parts)
  if (peer === 'backend') return backendControls(parts)
  if (peer === 'jwks') return keySetControls(parts)
  return peer === 'signaling' ? signalingControls(parts) : []
}

function mintControls({ available }: CommonContext): Control[] {
  const mint = available('mint')
  if (mint === undefined) return []
  const ttlSeconds = Math.max(60, mint.minTtlSeconds)
  const control = async () => {
    const reply = await mint.request({ ttlSeconds, newConnection: true })
    // A backend answers 500 for a mint that fails, which requirements judge; a mint for itself.
    if (reply.kind === 'answer' && reply.status === 500)
      throw new ControlLost('the mint answered 500 to an ordinary request', [reply.exchange])
    return [reply.exchange]
  }
  return [control]
}

function keySetControls({ available }: CommonContext): Control[] {
  const load = available('jwks')
  return load === undefined ? [] : [() => load().then(() => [])]
}

function sessionsOf({ available }: CommonContext): UserSession[] {
  const sessions = [available('backend')?.alice, available('bob'), available('aliceSecondDevice')]
  return sessions.filter((session) => session !== undefined)
}

function backendControls(parts: CommonContext): Control[] {
  const backend = parts.available('backend')
  if (backend === undefined) return []
  const double = parts.available('mintDouble')
  return sessionsOf(parts).map((session) => async () => {
    const ask = () => backend.request({ session, newConnection: true, followRedirects: true })
    const askBriefly = async (scripted: ScriptedMint) => {
      scripted.lifetime(controlLifetimeSeconds)
      return await ask()
    }
    const { exchange } = await (double === undefined ? ask() : double.scripted(askBriefly))
    return [exchange]
  })
}

function signalingControls(parts: CommonContext): Control[] {
  const [signaling, tokens] = [parts.available('signaling'), parts.available('callingTokens')]
  if (signaling === undefined || tokens === undefined) return []
  const mint = parts.available('mint')
  const backend = parts.available('backend')
  const ofUsers = sessionsOf(parts).map(
    (session) => async () =>
      mint === undefined ? await backend?.token(session) : await mint.token(session.userId),
  )
  return [() => tokens.fresh(), ...ofUsers].map((fetch) => async () => {
    const token = await fetch()
    return token === undefined ? [] : [(await signaling.accepted(token)).exchange]
  })
}
