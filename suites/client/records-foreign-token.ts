import { defineCheck } from '../../src/requirement/define.ts'

/** How long the client may take to notice. */
const noticeSeconds = 3

export default defineCheck({
  id: 'CLI-10',
  role: 'client',
  level: 'INFO',
  clauses: ['2.1.3'],
  title: 'is given a token of somebody else',
  why: 'The userId of the token and of the SDK must be the same; signaling has to see to it, and a client that notices spares its user a riddle.',
  how:
    "The backend answers with a calling JWT of another user than the one in the SDK's configuration. It is recorded " +
    'whether the client dials all the same, and what it then says of itself.',
  needs: ['client'],
  async run({ client }, judge) {
    await using app = await client.open()
    app.backend.answer((_, ordinary) => ordinary('somebody-else'))
    await app.signIn()
    await app.connect()
    await app.backendAsked()
    const dial = await app.wait(() => app.signaling.dials()[0], noticeSeconds)
    judge.observe('client.dialsWithForeignToken', dial !== null)
    judge.observe('client.stateWithForeignToken', await app.state())
  },
  catches: {},
})
