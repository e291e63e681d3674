import type { Judge } from '../../../src/requirement/judge.ts'
import type { Attempt, AttemptRequest, Refused, Welcome } from '../../../src/roles/signaling/attempt.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import { splitEmbeddedJson } from '../../../src/roles/signaling/frame-leaves.ts'
import { namesUser } from '../../../src/roles/signaling/named-user.ts'

/** An attempt that had to be rejected. */
export interface RejectionDue {
  readonly request: AttemptRequest
  readonly made: Attempt
}

interface Welcomed {
  readonly request: AttemptRequest
  readonly made: Refused & { readonly welcome: Welcome }
}

/**
 * Judges rejections that came after a success sign: the rejection counts, the welcome warns. One of them is repeated while
 * another user is online: a frame about a user before the rejection is a violation.
 */
export async function judgeWelcomes(
  due: readonly RejectionDue[],
  signaling: Signaling,
  judge: Judge,
): Promise<void> {
  const welcomed = due.filter(isWelcomed)
  const [first] = welcomed
  if (first === undefined) return
  const { welcome, summary, exchange } = first.made
  judge.advisory(false, {
    saw: `${first.request.case ?? 'an attempt'} welcomed for ${Math.round(welcome.milliseconds)} ms before the rejection, as ${welcomed.length} of ${due.length} attempts: signaling ${summary}; sent in between: ${welcome.frames.map(describeFrame).join(', ')}`,
    expected: 'no success sign before the token is verified',
    fix: 'Verify the token before the first frame that says success.',
    evidence: [exchange],
  })
  await using witness = await signaling.witness()
  const repeated = await signaling.attempt(first.request)
  const leaks = [
    ...welcomed.filter(({ request, made }) => namesItsUser(request, made.welcome, signaling)),
    ...[{ request: first.request, made: repeated }]
      .filter(isWelcomed)
      .filter(
        ({ request, made }) =>
          request.declaredUser !== witness.userId && isNamed(made.welcome.frames, witness.userId),
      ),
  ]
  judge.must(leaks.length === 0, {
    saw: `${leaks[0]?.request.case ?? 'an attempt'} sent data of a user before its rejection: ${leaks[0]?.made.welcome.frames.map(describeFrame).join(', ')}`,
    expected: 'no data for a client without a valid token (4.3)',
    fix: 'Verify the token before sending anything about users.',
    evidence: leaks.map(({ made }) => made.exchange),
  })
}

function isWelcomed(due: RejectionDue): due is Welcomed {
  return due.made.outcome === 'refused' && due.made.welcome !== undefined
}

/** The frame with the sign may repeat the id that the client has sent. */
function namesItsUser({ declaredUser }: AttemptRequest, { frames }: Welcome, signaling: Signaling): boolean {
  return (
    declaredUser !== undefined && signaling.hasJoined(declaredUser) && isNamed(frames.slice(1), declaredUser)
  )
}

function isNamed(frames: Welcome['frames'], userId: string): boolean {
  return namesUser({ events: frames }, userId)
}

/** The names in a frame, without its values. */
function describeFrame({ text }: Welcome['frames'][number]): string {
  const json = splitEmbeddedJson(text)?.json
  if (typeof json !== 'object' || json === null) return `a frame of ${text.length} characters`
  return Array.isArray(json)
    ? `a list of ${json.length}`
    : `a frame with ${Object.keys(json).slice(0, 8).join(', ')}`
}
