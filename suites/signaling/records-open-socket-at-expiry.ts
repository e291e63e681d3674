import { defineCheck } from '../../src/requirement/define.ts'
import { joinInTime } from './lib/leeway.ts'
import { endOf, socketOf } from './lib/open-socket.ts'

/** How long a socket is watched after the expiry of its token. */
const watchedSeconds = 2

export default defineCheck({
  id: 'SIG-09',
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
  async run({ expiry, handBack, newUser, signaling }, judge) {
    const { short, opened } = await joinInTime(expiry, async (lifetime) => {
      const token = await expiry.token(newUser(), lifetime)
      const made = await signaling.hold({ token: token.jwt, declaredUser: token.userId })
      const isInTime = made.outcome === 'accepted' || made.decidedAt < token.mayExpireAt
      return isInTime ? { short: token, opened: socketOf(made) } : null
    })
    await using socket = opened
    await using other = await signaling.witness()
    handBack()
    await Promise.race([socket.ended, expiry.until(short.expiredAt + watchedSeconds * 1000)])
    const end = endOf(socket)
    const heardByOther = new Set(other.events.map(({ text }) => text))
    const late = socket.events.filter(({ type, at }) => type === 'frame' && at >= short.mayExpireAt)
    const frames = late.map(({ text }) => text).filter((text) => !heardByOther.has(text))
    const after = (at: number) => Math.round((at - short.expiredAt) / 100) / 10
    judge.observe('signaling.openSocketAtExpiry', {
      course: end !== undefined ? 'closed' : frames.length > 0 ? 'told something, and kept' : 'kept',
      ...(end === undefined ? { watchedSeconds } : { afterSeconds: after(end.at), code: end.code ?? null }),
      frames: [...new Set(frames)].slice(0, 3),
    })
  },
})
