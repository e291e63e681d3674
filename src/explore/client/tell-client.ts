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

interface Story {
  readonly app: ClientApp
  readonly surroundings: Surroundings
  readonly model: ClientModel
  readonly hasBob: boolean
  readonly reconnectSeconds: number
  readonly carriage: ClientRunOptions['carriage']
}

/** One story about a client: who is signed in, whether they are to be connected, which calls are kept waiting. */
export function tellClient({ alice, ...options }: ClientRunOptions): ModelRun<ClientStep> {
  const { app, surroundings } = options
  const model: ClientModel = {
    user: alice,
    known: [alice],
    wants: 'connection',
    signedInAt: 0,
    since: sinceNow({ app, surroundings }),
    wasWelcome: true,
    wasEverWelcome: true,
    beginsAgain: false,
    leftAt: Number.POSITIVE_INFINITY,
    judged: count({ app }),
  }
  const story: Story = { ...options, model }
  return {
    canTake: (step) => canTake(story, step),
    take: (step) => take(story, step),
    end: () => end(story),
  }
}

function canTake(story: Story, step: ClientStep): boolean {
  if (step.does === 'sign in') return story.model.user === null && (step.who === 'alice' || story.hasBob)
  if (step.does === 'switch user') return story.model.user !== null && story.hasBob
  if (step.does === 'sign out') return story.model.user !== null
  // Who is connected has nothing to gain by it, unless it is done twice.
  if (step.does === 'connect')
    return (
      story.model.user !== null && (story.model.wants !== 'connection' || step.times > 1 || !isOpen(story))
    )
  if (step.does === 'disconnect')
    return (
      story.app.can('disconnect') &&
      ((story.model.wants !== 'none' && isOpen(story)) ||
        (story.model.wants === 'connection' && story.surroundings.held().length > 0))
    )
  if (step.does === 'refuse') return isOpen(story) && story.app.signaling.refusals.inSession !== null
  if (step.does === 'drop') return isOpen(story)
  if (step.does === 'answer') return story.surroundings.held().length > 0
  if (step.does === 'expire') return story.app.can('drivenClock')
  return true
}

async function take(story: Story, step: ClientStep): Promise<StepOutcome> {
  if (step.does === 'sign in')
    return await takeAnd(story, `${step.who} signs in`, reactionsOf(step), () => signIn(story, step.who))
  if (step.does === 'sign out')
    return await takeAnd(story, `${nameOf(story)} signs out`, null, () => signOut(story))
  if (step.does === 'switch user') {
    const next = nameOf(story) === 'alice' ? 'bob' : 'alice'
    return await takeAnd(
      story,
      `${nameOf(story)} signs out, and ${next} signs in`,
      reactionsOf(step),
      async () => {
        await signOut(story)
        await signIn(story, next)
      },
    )
  }
  if (step.does === 'connect')
    return await takeAnd(
      story,
      `${nameOf(story)} connects${step.times > 1 ? `, ${step.times} times` : ''}`,
      reactionsOf(step),
      () => connect(story, step.times),
    )
  if (step.does === 'disconnect')
    return await takeAnd(story, `${nameOf(story)} disconnects`, null, async () => {
      leave(story)
      await story.app.disconnect()
    })
  if (step.does === 'refuse')
    return await takeAnd(story, 'signaling rejects the open connection as 401', reactionsOf(step), () =>
      refuseOpen(story),
    )
  if (step.does === 'drop')
    return await takeAnd(story, 'the connection drops', reactionsOf(step), () =>
      story.app.signaling.dropOpen(),
    )
  if (step.does === 'answer') {
    const held = story.surroundings.held().length
    const place = held === 1 ? 'the waiting call' : `waiting call ${(step.which % held) + 1} of ${held}`
    const { signaling: handshakes } = step
    const did = `the backend answers ${place} with ${step.with}; signaling ${signalingText[handshakes]}`
    return await takeAnd(story, did, null, () => {
      // Later calls are answered, too.
      story.surroundings.react({ backend: 'a token', signaling: handshakes })
      story.surroundings.release(step.which, step.with)
    })
  }
  if (step.does === 'expire')
    return await takeAnd(story, 'the device sleeps until every token has expired', null, () =>
      story.app.passTime(sleepSeconds),
    )
  return await takeAnd(story, `${step.seconds} s pass`, reactionsOf(step), () =>
    story.app.waitOnClientClock(() => null, step.seconds),
  )
}

async function end(story: Story): Promise<StepOutcome> {
  const ended = await takeAnd(story, 'backend and signaling accept everything', null, () => {
    story.surroundings.react({ backend: 'a token', signaling: 'accepts' })
    while (story.surroundings.held().length > 0) story.surroundings.release(0, 'a token')
  })
  if (
    story.app.isClockDriven() &&
    story.app.signaling.attempts().some(({ outcome }) => outcome !== 'accepted')
  )
    await story.app.waitOnClientClock(
      () => openAttempts(story.app.signaling.attempts()).length > 1,
      secondLoopSeconds,
    )
  const late = judge(story, story.app.clientNow())
  const leaks = await judgeSecrets(story.app, story.model.known, story.carriage === 'cookie')
  return { ...ended, breaches: [...ended.breaches, ...late, ...leaks] }
}

function count({ app }: Pick<Story, 'app'>) {
  return { attempts: app.signaling.attempts().length, calls: app.backend.calls().length }
}

function sinceNow({ app, surroundings }: Pick<Story, 'app' | 'surroundings'>) {
  return {
    attempts: app.signaling.attempts().length,
    failedCalls: surroundings.failedCalls().length,
  }
}

function isUndecided(story: Story) {
  return (
    story.app.signaling.attempts().some(({ outcome, closedAt }) => outcome === null && closedAt === null) ||
    story.app.backend.calls().filter(({ status, givenUpAt }) => status === null && givenUpAt === null)
      .length > story.surroundings.held().length
  )
}

/** Until what the step causes has come; whether a connection is missing that should be there. */
async function settle(story: Story): Promise<boolean> {
  const before = story.model.judged
  const hasCome = () => {
    const { attempts, calls } = count(story)
    return attempts + calls > before.attempts + before.calls && !isUndecided(story)
  }
  const isDue = story.model.wants === 'connection' && story.surroundings.isGood()
  const isAbsent = isDue && (await waitUntilWelcome(story.app, story.reconnectSeconds)) === null
  if (!isDue && story.model.wants !== 'none') await story.app.waitOnClientClock(hasCome, momentSeconds)
  await story.app.waitOnClientClock(() => null, lingerSeconds)
  return isAbsent
}

function judge(story: Story, since: number): OwnBreach[] {
  const context = { ...story, isByMessage: story.carriage === 'message' }
  const from = story.model.judged
  story.model.judged = count(story)
  const attempts = story.app.signaling.attempts().slice(from.attempts)
  const breaches = attempts.flatMap((attempt, index) => {
    const broken = judgeAttempt(attempt, from.attempts + index, context)
    story.model.beginsAgain = false
    return broken
  })
  const calls = story.model.judged.calls - from.calls
  const seconds = (story.app.clientNow() - since) / 1000
  return [...breaches, ...judgeOpen(context), ...judgeFlood(attempts.length, calls, seconds)]
}

/** Concludes a step: lists the events since the last step, and their breaches. */
async function conclude(story: Story, did: string, since: number, isAbsent: boolean): Promise<StepOutcome> {
  const from = story.model.judged
  const absence = isAbsent ? await judgeAbsence({ ...story, seconds: story.reconnectSeconds }) : []
  const breaches = [...judge(story, since), ...absence]
  const isConnected = openAttempts(story.app.signaling.attempts()).length > 0
  if (story.model.wants === 'none') story.model.leftAt = story.app.signaling.attempts().length
  else if (isConnected) {
    story.model.wasWelcome = true
    story.model.wasEverWelcome = true
    story.model.since = sinceNow(story)
  }
  const evidence = [
    ...story.app.backend.calls().slice(from.calls),
    ...story.app.signaling.attempts().slice(from.attempts),
  ].map(({ exchange }) => exchange)
  return { did, came: describeSince(story.app, from), breaches, evidence }
}

async function takeAnd(
  story: Story,
  did: string,
  reactions: Partial<Reactions> | null,
  run: () => unknown,
): Promise<StepOutcome> {
  const since = story.app.clientNow()
  if (reactions !== null) story.surroundings.react(reactions)
  await run()
  const isAbsent = await settle(story)
  return await conclude(story, reactions === null ? did : `${did}; ${describe(reactions)}`, since, isAbsent)
}

async function signIn(story: Story, who: User) {
  // Everything under way for the last user has arrived after this.
  await story.app.waitOnClientClock(() => true, 0)
  story.model.signedInAt = story.app.signaling.attempts().length
  const user = await story.app.signIn(who)
  story.model.known.push(user)
  Object.assign(story.model, { user, wants: 'unknown', wasWelcome: false, wasEverWelcome: false })
  story.model.since = sinceNow(story)
}

function leave(story: Story) {
  return Object.assign(story.model, { wants: 'none', leftAt: Number.POSITIVE_INFINITY, beginsAgain: false })
}

async function signOut(story: Story) {
  leave(story)
  await story.app.signOut()
  story.model.user = null
}

async function connect(story: Story, times: number) {
  story.model.beginsAgain = story.model.wants === 'none' && story.model.wasEverWelcome
  Object.assign(story.model, { wants: 'connection', wasWelcome: false })
  story.model.since = sinceNow(story)
  for (let left = times; left > 0; left -= 1) await story.app.connect()
}

async function refuseOpen(story: Story) {
  const open = openAttempts(story.app.signaling.attempts())
  story.surroundings.refuseOpen()
  await story.app.waitFor(() => open.every(({ closedAt }) => closedAt !== null), closingSeconds)
}

function isOpen(story: Story) {
  return openAttempts(story.app.signaling.attempts()).length > 0
}

function nameOf(story: Story) {
  return story.model.user?.name ?? 'the user'
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
