import type { ClientApp, SignedIn } from '../../roles/client/types.ts'
import type { ModelRun, StepOutcome } from '../engine/subject.ts'
import { judgeAttempt, judgeFlood, judgeOpen, type OwnBreach } from './judge-attempts.ts'
import { judgeAbsence, waitUntilWelcome } from './judge-return.ts'
import { judgeSecrets } from './judge-secrets.ts'
import { type ClientModel, openAttempts } from './model.ts'
import type { ClientStep, Reactions, User } from './steps.ts'
import { lifetimeSeconds, type Surroundings, signalingText } from './surroundings.ts'

export interface ClientRunOptions {
  readonly app: ClientApp
  readonly surroundings: Surroundings
  /** Signed in and connected. */
  readonly alice: SignedIn
  readonly hasBob: boolean
  /** `limits.reconnectSeconds`. */
  readonly reconnectSeconds: number
  /** The carriage of signaling. */
  readonly carriage: 'message' | 'cookie' | 'other'
}

/** In seconds of the client's clock: where nothing is promised, what a step causes begins within this time. */
const momentSeconds = 3
/** An immediate consequence of a reaction, such as a second handshake, is seen within this time. */
const lingerSeconds = 0.25
/** A refused socket is closed within this real time. */
const closingSeconds = 3
/** After failures, a second loop that connects shows within this time. */
const secondLoopSeconds = 40
/** So much later every token has expired. */
const sleepSeconds = lifetimeSeconds + 60

/** One story about a client: who is signed in, whether they are to be connected, which calls are kept waiting. */
export function tellClient({
  app,
  surroundings,
  alice,
  hasBob,
  reconnectSeconds,
  carriage,
}: ClientRunOptions): ModelRun<ClientStep> {
  const { backend, signaling } = app
  const count = () => ({ attempts: signaling.attempts().length, calls: backend.calls().length })
  const sinceNow = () => ({
    attempts: signaling.attempts().length,
    failedCalls: surroundings.failedCalls().length,
  })
  const model: ClientModel = {
    user: alice,
    known: [alice],
    wants: 'connection',
    signedInAt: 0,
    since: sinceNow(),
    wasWelcome: true,
    wasEverWelcome: true,
    beginsAgain: false,
    leftAt: Number.POSITIVE_INFINITY,
    judged: count(),
  }
  const context = { app, model, surroundings, isByMessage: carriage === 'message' }
  const returning = { app, model, surroundings, seconds: reconnectSeconds }

  const isUndecided = () =>
    signaling.attempts().some(({ outcome, closedAt }) => outcome === null && closedAt === null) ||
    backend.calls().filter(({ status, givenUpAt }) => status === null && givenUpAt === null).length >
      surroundings.held().length
  /** Until what the step causes has come; whether a connection is missing that should be there. */
  const settle = async (): Promise<boolean> => {
    const before = model.judged
    const hasCome = () => {
      const { attempts, calls } = count()
      return attempts + calls > before.attempts + before.calls && !isUndecided()
    }
    const isDue = model.wants === 'connection' && surroundings.isGood()
    const isAbsent = isDue && (await waitUntilWelcome(app, reconnectSeconds)) === null
    if (!isDue && model.wants !== 'none') await app.waitOnClientClock(hasCome, momentSeconds)
    await app.waitOnClientClock(() => null, lingerSeconds)
    return isAbsent
  }

  const judge = (since: number): OwnBreach[] => {
    const from = model.judged
    model.judged = count()
    const attempts = signaling.attempts().slice(from.attempts)
    const breaches = attempts.flatMap((attempt, index) => {
      const broken = judgeAttempt(attempt, from.attempts + index, context)
      model.beginsAgain = false
      return broken
    })
    const calls = model.judged.calls - from.calls
    const seconds = (app.clientNow() - since) / 1000
    return [...breaches, ...judgeOpen(context), ...judgeFlood(attempts.length, calls, seconds)]
  }

  /** Concludes a step: lists the events since the last step, and their breaches. */
  const conclude = async (did: string, since: number, isAbsent: boolean): Promise<StepOutcome> => {
    const from = model.judged
    const absence = isAbsent ? await judgeAbsence(returning) : []
    const breaches = [...judge(since), ...absence]
    const isConnected = openAttempts(signaling.attempts()).length > 0
    if (model.wants === 'none') model.leftAt = signaling.attempts().length
    else if (isConnected) {
      model.wasWelcome = true
      model.wasEverWelcome = true
      model.since = sinceNow()
    }
    const evidence = [...backend.calls().slice(from.calls), ...signaling.attempts().slice(from.attempts)].map(
      ({ exchange }) => exchange,
    )
    return { did, came: describeSince(app, from), breaches, evidence }
  }

  const takeAnd = async (
    did: string,
    reactions: Partial<Reactions> | null,
    run: () => unknown,
  ): Promise<StepOutcome> => {
    const since = app.clientNow()
    if (reactions !== null) surroundings.react(reactions)
    await run()
    const isAbsent = await settle()
    return await conclude(reactions === null ? did : `${did}; ${describe(reactions)}`, since, isAbsent)
  }

  const signIn = async (who: User) => {
    // Everything under way for the last user has arrived after this.
    await app.waitOnClientClock(() => true, 0)
    model.signedInAt = signaling.attempts().length
    const user = await app.signIn(who)
    model.known.push(user)
    Object.assign(model, { user, wants: 'unknown', wasWelcome: false, wasEverWelcome: false })
    model.since = sinceNow()
  }
  const leave = () =>
    Object.assign(model, { wants: 'none', leftAt: Number.POSITIVE_INFINITY, beginsAgain: false })
  const signOut = async () => {
    leave()
    await app.signOut()
    model.user = null
  }
  const connect = async (times: number) => {
    model.beginsAgain = model.wants === 'none' && model.wasEverWelcome
    Object.assign(model, { wants: 'connection', wasWelcome: false })
    model.since = sinceNow()
    for (let left = times; left > 0; left -= 1) await app.connect()
  }

  const refuseOpen = async () => {
    const open = openAttempts(signaling.attempts())
    surroundings.refuseOpen()
    await app.waitFor(() => open.every(({ closedAt }) => closedAt !== null), closingSeconds)
  }

  const isOpen = () => openAttempts(signaling.attempts()).length > 0
  const nameOf = () => model.user?.name ?? 'the user'
  return {
    canTake(step) {
      if (step.does === 'sign in') return model.user === null && (step.who === 'alice' || hasBob)
      if (step.does === 'switch user') return model.user !== null && hasBob
      if (step.does === 'sign out') return model.user !== null
      // Who is connected has nothing to gain by it, unless it is done twice.
      if (step.does === 'connect')
        return model.user !== null && (model.wants !== 'connection' || step.times > 1 || !isOpen())
      if (step.does === 'disconnect')
        return (
          app.can('disconnect') &&
          ((model.wants !== 'none' && isOpen()) ||
            (model.wants === 'connection' && surroundings.held().length > 0))
        )
      if (step.does === 'refuse') return isOpen() && signaling.refusals.inSession !== null
      if (step.does === 'drop') return isOpen()
      if (step.does === 'answer') return surroundings.held().length > 0
      if (step.does === 'expire') return app.can('drivenClock')
      return true
    },
    async take(step) {
      if (step.does === 'sign in')
        return await takeAnd(`${step.who} signs in`, reactionsOf(step), () => signIn(step.who))
      if (step.does === 'sign out') return await takeAnd(`${nameOf()} signs out`, null, signOut)
      if (step.does === 'switch user') {
        const next = nameOf() === 'alice' ? 'bob' : 'alice'
        return await takeAnd(`${nameOf()} signs out, and ${next} signs in`, reactionsOf(step), async () => {
          await signOut()
          await signIn(next)
        })
      }
      if (step.does === 'connect')
        return await takeAnd(
          `${nameOf()} connects${step.times > 1 ? `, ${step.times} times` : ''}`,
          reactionsOf(step),
          () => connect(step.times),
        )
      if (step.does === 'disconnect')
        return await takeAnd(`${nameOf()} disconnects`, null, async () => {
          leave()
          await app.disconnect()
        })
      if (step.does === 'refuse')
        return await takeAnd('signaling rejects the open connection as 401', reactionsOf(step), refuseOpen)
      if (step.does === 'drop')
        return await takeAnd('the connection drops', reactionsOf(step), () => signaling.dropOpen())
      if (step.does === 'answer') {
        const held = surroundings.held().length
        const place = held === 1 ? 'the waiting call' : `waiting call ${(step.which % held) + 1} of ${held}`
        const { signaling: handshakes } = step
        const did = `the backend answers ${place} with ${step.with}; signaling ${signalingText[handshakes]}`
        return await takeAnd(did, null, () => {
          // Later calls are answered, too.
          surroundings.react({ backend: 'a token', signaling: handshakes })
          surroundings.release(step.which, step.with)
        })
      }
      if (step.does === 'expire')
        return await takeAnd('the device sleeps until every token has expired', null, () =>
          app.passTime(sleepSeconds),
        )
      return await takeAnd(`${step.seconds} s pass`, reactionsOf(step), () =>
        app.waitOnClientClock(() => null, step.seconds),
      )
    },
    async end() {
      const ended = await takeAnd('backend and signaling accept everything', null, () => {
        surroundings.react({ backend: 'a token', signaling: 'accepts' })
        while (surroundings.held().length > 0) surroundings.release(0, 'a token')
      })
      if (app.isClockDriven() && signaling.attempts().some(({ outcome }) => outcome !== 'accepted'))
        await app.waitOnClientClock(() => openAttempts(signaling.attempts()).length > 1, secondLoopSeconds)
      const late = judge(app.clientNow())
      const leaks = await judgeSecrets(app, model.known, carriage === 'cookie')
      return { ...ended, breaches: [...ended.breaches, ...late, ...leaks] }
    },
  }
}

function reactionsOf({ backend, signaling }: Reactions): Reactions {
  return { backend, signaling }
}

function describe({ backend, signaling }: Partial<Reactions>): string {
  const answers =
    backend === 'nothing yet'
      ? 'the backend keeps calls waiting'
      : `the backend answers with ${backend ?? 'a token'}`
  return `${answers}, signaling ${signalingText[signaling ?? 'accepts']}`
}

/** The calls and handshakes of a step, and whether the client is connected after it. */
function describeSince({ backend, signaling }: ClientApp, from: ClientModel['judged']): string[] {
  const calls = backend.calls().length - from.calls
  const attempts = signaling.attempts().slice(from.attempts)
  const open = openAttempts(signaling.attempts()).length
  return [
    ...(calls === 0 ? [] : [`${calls} ${calls === 1 ? 'call' : 'calls'} of the token route`]),
    ...attempts.map(({ outcome }) => `a handshake, ${outcome ?? 'without a response'}`),
    open === 0 ? 'not connected' : open === 1 ? 'connected' : `${open} connections`,
  ]
}
