import { pause } from '../engine/common-steps.ts'
import { type Motif, motif, repeat } from '../engine/motif.ts'
import { shuffle } from '../engine/shuffle.ts'
import {
  answers,
  type BackendStep,
  type Caller,
  liveCallers,
  type MintAnswer,
  type MintReaction,
} from './steps.ts'

export interface MotifOptions {
  readonly present: readonly Caller[]
  readonly canSignOut: boolean
}

/** So many failures in a row are enough for breakers, caches and retries that count. */
const fewestFailures = 2
const mostFailures = 5
/** Failures of the mint between its successes, in one of the stories. */
const mostMixed = 4

/**
 * Makes the stories that are told before others. A slow backend has no time for many steps, so that callers ask at once where
 * their order tells little, and stories about one failure of the mint take turns with the others.
 */
export function makeMotifs(options: MotifOptions, random: () => number): Motif<BackendStep>[] {
  const { present, canSignOut } = options
  const signedIn = present.filter((who) => liveCallers.some((caller) => caller === who))
  const others = present.filter((who) => !signedIn.includes(who))
  const failures = shuffle(answers.slice(2), random)
  const count = () => fewestFailures + Math.floor(random() * (mostFailures - fewestFailures + 1))
  const runs = failures.map((failure) => {
    const who = signedIn[Math.floor(random() * signedIn.length)] ?? 'alice'
    const failing = random() < 0.5 ? [who] : [who, who]
    const [next = who, ...together] = shuffle(signedIn, random)
    return motif(`failures in a row: ${failure}`, [
      ...repeat(ask(failing, failure), Math.max(fewestFailures, Math.ceil(count() / failing.length))),
      { does: 'expire' as const },
      // Some shortcuts are open right behind a failure alone, and for one kind of session.
      ...shuffle(others, random).flatMap((other) => [ask([who], failure), ask([other], 'a token')]),
      ...askAtOnce(others),
      ask([next], 'a token'),
      ...askAtOnce(together),
    ])
  })
  const named = shuffle(
    [...overlaps(signedIn, others, failures), ...(canSignOut ? [signOutUnderWay, signOutOfKnown] : [])],
    random,
  )
  return runs.flatMap((run, place) => {
    const share = named.length / runs.length
    return [...named.slice(Math.floor(place * share), Math.floor((place + 1) * share)), run]
  })
}

function ask(who: readonly Caller[], mint: MintReaction): BackendStep {
  return { does: 'ask', who: [...who], mint }
}

function askAtOnce(who: readonly Caller[]): BackendStep[] {
  return who.length === 0 ? [] : [ask(who.slice(0, 4), 'a token')]
}

function answer(which: number, mint: MintAnswer): BackendStep {
  return { does: 'answer', which, mint }
}

/** Stories of two users, or of one who asks twice. */
function overlaps(
  signedIn: readonly Caller[],
  others: readonly Caller[],
  failures: readonly MintAnswer[],
): Motif<BackendStep>[] {
  const [first = 'alice', second = first] = [signedIn[0], signedIn.find((who) => who === 'bob')]
  const [failure = '500'] = failures
  const waiting = [ask([first], 'nothing yet'), ask([second], 'nothing yet')]
  const after = [ask([second], 'a token'), ask([first], 'a token')]
  const together = ask([first, second, first, second], 'a token')
  return [
    motif('calls answered in the other order', [
      ...waiting,
      answer(1, 'a token'),
      answer(0, 'a token'),
      ...after,
    ]),
    motif('a call that waits behind a failure', [
      ...waiting,
      answer(0, failure),
      ...askAtOnce(others),
      ...after,
    ]),
    motif('the last of two who are under way, and every n-th', [together, together, together, ...after]),
    motif('callers without a session beside one who has one', [
      ask([first, ...others.slice(0, 3)], 'a token'),
      ask([second, ...others.slice(-3)], 'a token'),
    ]),
    motif('one flight for all behind a failure', [
      ask([first], failure),
      ...waiting,
      answer(0, 'a token'),
      answer(0, 'a token'),
      ...repeat(ask([first], failure), fewestFailures),
      // Sessions that have ended are most often those of the first user.
      ask([first], 'nothing yet'),
      ask([second, ...others.slice(0, 3)], 'nothing yet'),
      ...repeat(answer(0, 'a token'), 4),
    ]),
    motif('a second try that serves another', [
      ask([first], 'one 503, then tokens'),
      ...after,
      ask([second], 'one 503, then tokens'),
      ask([first], 'a token'),
      ask([second], 'a token'),
    ]),
    motif('what an abandoned call leaves', [
      ask([first], 'a closed connection'),
      ask([second], 'a token'),
      ask([first], 'a token'),
    ]),
    motif(
      'a mint that fails now and then',
      failures
        .slice(0, mostMixed)
        .flatMap((one) => [
          ask([first], one),
          ask([second], 'a token'),
          ask([first], one),
          ask([second], 'a token'),
        ]),
    ),
    motif('what a pause forgets', [
      ...repeat(ask([first], failure), 3),
      pause(1_100),
      ...askAtOnce(others),
      ask([first], failure),
      pause(2_000),
      ...askAtOnce(others),
      ...after,
    ]),
    motif('refusals in a row', [...repeat(askAtOnce(others)[0] ?? ask([first], '401'), 3), ...after]),
  ]
}

const behindSignOut: BackendStep[] = [
  ask(['alice'], 'a token'),
  { does: 'outlast the sign-out' },
  ask(['alice'], 'a token'),
  { does: 'sign in', who: 'alice' },
  ask(['alice'], 'a token'),
]

const signOutUnderWay = motif<BackendStep>('a sign-out while a call waits', [
  ask(['alice'], 'nothing yet'),
  { does: 'sign out', who: 'alice' },
  answer(0, 'a token'),
  ...behindSignOut,
])

/** A verdict on a session that was served several times may be kept. */
const signOutOfKnown = motif<BackendStep>('a sign-out of a session that is known', [
  ...repeat(ask(['alice'], 'a token'), mostFailures),
  { does: 'sign out', who: 'alice' },
  ...behindSignOut,
])
