import { shuffle } from '../engine/shuffle.ts'
import { answers, type BackendStep, type Caller, type MintAnswer, type MintReaction, users } from './steps.ts'

export interface FirstStoriesOptions {
  readonly present: readonly Caller[]
  readonly canSignOut: boolean
}

/** So many failures in a row are enough for breakers, caches and retries that count. */
const fewestFailures = 2
const mostFailures = 5

/**
 * Makes the stories that are told before others: a run of one failure with everybody behind it who may notice, calls that
 * overlap, and a sign-out under way. A slow backend has no time for many stories, and faults of caches, retries, breakers and
 * limits seldom need more than these.
 */
export function makeFirstStories(options: FirstStoriesOptions, random: () => number): BackendStep[][] {
  const { present, canSignOut } = options
  const signedIn = present.filter((who) => users.some((user) => who.startsWith(user)))
  const others = present.filter((who) => !signedIn.includes(who))
  const failures = shuffle(answers.slice(2), random)
  const runs = failures.map((failure) => {
    const who = signedIn[Math.floor(random() * signedIn.length)] ?? 'alice'
    const count = fewestFailures + Math.floor(random() * (mostFailures - fewestFailures + 1))
    return [
      ...Array.from({ length: count }, () => ask([who], failure)),
      { does: 'expire' as const },
      ask([who], failure),
      ...others.map((one) => ask([one], 'a token')),
      ...shuffle(signedIn, random).map((one) => ask([one], 'a token')),
    ]
  })
  const failure = failures[0] ?? '500'
  return shuffle(
    [
      ...runs,
      ...overlaps(signedIn, others, failure),
      ...(canSignOut ? [signOutUnderWay, signOutOfKnown] : []),
    ],
    random,
  )
}

function ask(who: readonly Caller[], mint: MintReaction): BackendStep {
  return { does: 'ask', who: [...who], mint }
}

function answer(which: number, mint: MintAnswer): BackendStep {
  return { does: 'answer', which, mint }
}

/** Calls of two that are answered in the other order, and requests at once. */
function overlaps(
  signedIn: readonly Caller[],
  others: readonly Caller[],
  failure: MintAnswer,
): BackendStep[][] {
  const [first = 'alice', second = first] = [signedIn[0], signedIn.find((who) => who === 'bob')]
  const waiting = [ask([first], 'nothing yet'), ask([second], 'nothing yet')]
  const after = [ask([second], 'a token'), ask([first], 'a token')]
  return [
    [...waiting, answer(1, 'a token'), answer(0, 'a token'), ...after],
    [...waiting, answer(0, failure), ...others.map((one) => ask([one], 'a token')), ...after],
    [
      ask([first, second, first, second], 'a token'),
      ask([first, ...others.slice(0, 3)], 'a token'),
      ...after,
    ],
  ]
}

const behindSignOut: BackendStep[] = [
  ask(['alice'], 'a token'),
  { does: 'outlast the sign-out' },
  ask(['alice'], 'a token'),
  { does: 'sign in', who: 'alice' },
  ask(['alice'], 'a token'),
]

const signOutUnderWay: BackendStep[] = [
  ask(['alice'], 'nothing yet'),
  { does: 'sign out', who: 'alice' },
  answer(0, 'a token'),
  ...behindSignOut,
]

/** A verdict on a session that was served several times may be kept. */
const signOutOfKnown: BackendStep[] = [
  ...Array.from({ length: mostFailures }, () => ask(['alice'], 'a token')),
  { does: 'sign out', who: 'alice' },
  ...behindSignOut,
]
