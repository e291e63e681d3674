import { defineCheck } from '../../src/requirement/define.ts'

const lifetimeSeconds = 60
const watchedSeconds = 120
/** Where the clock cannot be run ahead: what comes in this time shows a loop. */
const undrivenSeconds = 15
const mostPerMinute = 4

export default defineCheck({
  id: 'CLI-13',
  role: 'client',
  level: 'ADVISORY',
  clauses: [],
  title: 'does not fetch tokens in a loop',
  why: 'Every call of the token route is a mint: a loop runs into the mint’s cap, and takes all users of the project with it.',
  how:
    'A user connects with tokens that live for 60 seconds, and stays connected for two minutes of the client’s own ' +
    'clock. More than 4 calls of the token route within any minute are advised against.',
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    await using app = await client.open(client.kind === 'page' ? { drivenClock: { offsetMs: 0 } } : {})
    app.backend.lifetime(lifetimeSeconds)
    await app.join()
    const isDriven = app.isClockDriven()
    const most = () => mostWithinAMinute(app.backend.calls().map(({ clientAt }) => clientAt))
    await app.pump(() => most() > 2 * mostPerMinute, isDriven ? watchedSeconds : undrivenSeconds)
    judge.observe('client.mintsPerMinute', most())
    judge.advisory(most() <= mostPerMinute, {
      saw: `${most()} calls of the token route within a minute, with tokens that live for ${lifetimeSeconds} s`,
      expected: `at most ${mostPerMinute}`,
      evidence: app.backend
        .calls()
        .slice(0, 20)
        .map(({ exchange }) => exchange),
    })
    if (!isDriven)
      judge.onlyObserved(`seen for ${undrivenSeconds} s only: the timers of this client cannot be run ahead`)
  },
  catches: {
    'renews tokens in a loop': { client: { variant: 'tokens renewed in a loop' }, as: 'warn' },
    'fetches a token every second': { client: { variant: 'a token every second' }, as: 'warn' },
  },
})

function mostWithinAMinute(instants: readonly number[]): number {
  const counts = instants.map((from) => instants.filter((at) => at >= from && at < from + 60_000).length)
  return Math.max(0, ...counts)
}
