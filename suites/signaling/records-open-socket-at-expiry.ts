import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { ShortToken } from '../../src/roles/mint/expiry.ts'
import type { Attempt, OpenSocket } from '../../src/roles/signaling/attempt.ts'

/** How long a socket is watched after the expiry of its token. */
const watchedSeconds = 2

export default defineCheck({
  id: 'SIG-09',
  role: 'signaling',
  level: 'INFO',
  kind: 'positive',
  clauses: ['3'],
  title: 'records what happens to open sockets on token expiry',
  why: 'The specification does not say what happens to a call in progress; a client has to handle it.',
  how: {
    does: [
      'A socket joins with a short-lived token and stays open past its expiry, next to one with a longer token.',
      'Records the frames that only the first socket receives, and when it is closed.',
    ],
  },
  mints: 2,
  needs: ['mint', 'callingTokens', 'expiry', 'signaling'],
  stage: 'expiry',
  async run({ callingTokens, expiry, signaling, newUser, handBack }, judge) {
    const [short, opened] = await holdInTime({ expiry, signaling, newUser })
    await using socket = opened
    await using other = await hold(await callingTokens.fresh(), signaling)
    handBack()
    const ended = socket.ended.then((event) => event)
    await Promise.race([ended, expiry.until(short.expiredAt + watchedSeconds * 1000)])
    const end = socket.events.find(({ type }) => type === 'close' || type === 'error')
    const heardByOther = new Set(other.events.map(({ text }) => text))
    const frames = socket.events
      .filter(({ type, at, text }) => type === 'frame' && at >= short.mayExpireAt && !heardByOther.has(text))
      .map(({ text }) => text)
    const after = (at: number) => Math.round((at - short.expiredAt) / 100) / 10
    judge.observe('signaling.openSocketAtExpiry', {
      course: end !== undefined ? 'closed' : frames.length > 0 ? 'told something, and kept' : 'kept',
      ...(end === undefined ? { watchedSeconds } : { afterSeconds: after(end.at), code: end.code ?? null }),
      frames: [...new Set(frames)].slice(0, 3),
    })
  },
})

type Parts = Pick<CheckContext<'expiry' | 'signaling'>, 'expiry' | 'signaling' | 'newUser'>

/** A short-lived token and its socket; with a longer life where it may have expired before signaling decided. */
async function holdInTime({ expiry, signaling, newUser }: Parts): Promise<[ShortToken, OpenSocket]> {
  for (const ttlSeconds of expiry.lifetimes) {
    const token = await expiry.token(newUser(), ttlSeconds)
    const made = await signaling.hold({ token: token.jwt, declaredUser: token.userId })
    if (made.outcome === 'accepted') return [token, made.socket]
    if (made.decidedAt < token.mayExpireAt) throw rejected(made)
  }
  throw new Untested(
    'no short-lived token could be sent before its expiry: this machine or the network is slow',
  )
}

async function hold(
  { jwt, userId }: { readonly jwt: string; readonly userId: string },
  signaling: Parts['signaling'],
): Promise<OpenSocket> {
  const made = await signaling.hold({ token: jwt, declaredUser: userId })
  if (made.outcome === 'accepted') return made.socket
  throw rejected(made)
}

function rejected({ summary, exchange }: Pick<Attempt, 'summary' | 'exchange'>): ControlLost {
  return new ControlLost(`signaling ${summary} when offered a fresh calling token`, [exchange])
}
