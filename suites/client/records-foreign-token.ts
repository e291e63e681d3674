import { defineCheck } from '../../src/requirement/define.ts'

/** How long the client may take to detect the difference. */
const noticeSeconds = 3

export default defineCheck({
  id: 'CLI-10',
  level: 'INFO',
  kind: 'positive',
  clauses: ['2.1.3'],
  title: "records behaviour on another user's token",
  why: 'The userId of the token and of the SDK must be equal. Signaling enforces that, and a client that detects the difference can report it.',
  how: {
    does: [
      "The backend answers with a calling JWT of a user other than the one in the SDK's configuration.",
      'Records whether the client still connects to signaling, and its state afterwards.',
    ],
  },
  needs: ['client'],
  async run({ client }, judge) {
    await using app = await client.open()
    app.backend.answer((_, ordinary) => ordinary('another-user'))
    await app.signIn()
    await app.connect()
    await app.waitForTokenCall()
    const attempt = await app.waitFor(() => app.signaling.attempts()[0], noticeSeconds)
    judge.observe('client.dialsWithForeignToken', attempt !== null)
    judge.observe('client.stateWithForeignToken', await app.state())
  },
})
