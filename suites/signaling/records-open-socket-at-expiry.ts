import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { OpenSocket } from '../../src/roles/signaling/attempt.ts'

/** How long a socket is watched after the expiry of its token. */
const watchedSeconds = 2
const shownCharacters = 120

export default defineCheck({
  id: 'SIG-09',
  role: 'signaling',
  level: 'INFO',
  kind: 'positive',
  clauses: ['3'],
  title: 'records what happens to open sockets on token expiry',
  why: 'The specification does not say what happens to a call in progress; a client has to handle it.',
  how: 'A socket joins with a short-lived token and stays open past its expiry, next to one with a longer token. Records the frames that only the first socket receives, and when it is closed.',
  mints: 2,
  needs: ['mint', 'callingTokens', 'expiry', 'signaling'],
  phase: 'expiry',
  async run({ callingTokens, expiry, signaling, newUser }, judge) {
    const hold = async (token: { readonly jwt: string; readonly userId: string }): Promise<OpenSocket> => {
      const made = await signaling.hold({ token: token.jwt, declaredUser: token.userId })
      if (made.outcome === 'accepted') return made.socket
      throw new ControlLost(`signaling ${made.summary} when offered a fresh calling token`, [made.exchange])
    }
    const short = await expiry.token(newUser())
    await using socket = await hold(short)
    await using other = await hold(await callingTokens.fresh())
    const ended = socket.ended.then((event) => event)
    await Promise.race([ended, expiry.until(short.expiredAt + watchedSeconds * 1000)])
    const end = socket.events.find(({ type }) => type === 'close' || type === 'error')
    const heardByOther = new Set(other.events.map(({ text }) => text))
    const frames = socket.events
      .filter(({ type, at, text }) => type === 'frame' && at >= short.mayExpireAt && !heardByOther.has(text))
      .map(({ text }) => text.slice(0, shownCharacters))
    const after = (at: number) => Math.round((at - short.expiredAt) / 100) / 10
    judge.observe('signaling.openSocketAtExpiry', {
      course: end !== undefined ? 'closed' : frames.length > 0 ? 'told something, and kept' : 'kept',
      ...(end === undefined ? { watchedSeconds } : { afterSeconds: after(end.at), code: end.code ?? null }),
      frames: [...new Set(frames)].slice(0, 3),
    })
  },
  catches: {},
})
