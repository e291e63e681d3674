import { askBetweenControls } from '../../src/requirement/controls.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { knowsOwnUsersOnly } from '../../src/roles/mint/user-ids.ts'
import { isSuccess } from '../backend/lib/describe-reply.ts'

export default defineCheck({
  id: 'MINT-01',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.1', '9.1'],
  basis: 'The mint is a POST endpoint at the versioned path, and its success is a JSON body (4.1, 9.1).',
  title: 'answers POST on the versioned path with a JSON success',
  why: "Every customer's backend calls this one endpoint and reads the token from a JSON body.",
  how: {
    does: [
      'Sends a valid POST with the configured key to /api/v1/calling/token below mint.url, and names a lifetime where it is rejected without one.',
      'Expects a 2xx status and a body that parses as JSON.',
    ],
    fails: [
      'Anything else, unless the mint has served others before, or says that it does not know the made-up user.',
    ],
  },
  mints: 1,
  needs: ['mint'],
  async run({ mint, newUser, configuration }, judge) {
    const ask = () => mint.request({ followRedirects: true })
    const first = await ask()
    // A mint that has served others refuses the clients that it has blocked for their attacks.
    const reply =
      !isSuccess(first) && mint.hasServed()
        ? await askBetweenControls(ask, isSuccess, () => mint.token(newUser()))
        : first
    if (reply.kind === 'answer' && knowsOwnUsersOnly(reply, configuration.mint?.userIds))
      return judge.untested(
        `the mint answered ${reply.status} for a made-up userId: if it knows only its own users, or UUIDs, set mint.userIds`,
      )
    const evidence = [reply.exchange]
    const isServed = judge.must(isSuccess(reply), {
      saw:
        reply.kind === 'no-answer'
          ? `no response: the mint ${reply.message}`
          : `status ${reply.status} for a valid POST to the mint endpoint`,
      expected: 'a 2xx response (4.1)',
      fix:
        reply.kind === 'answer' && reply.status >= 500
          ? "Find out in the mint's log why it fails for a valid request."
          : 'Serve the mint endpoint by POST at the versioned path.',
      evidence,
    })
    if (!isServed || reply.kind === 'no-answer') return
    judge.observe('mint.successStatus', reply.status)
    judge.must(reply.json !== undefined, {
      saw: `status ${reply.status} with a body of ${reply.body.length} characters that is not JSON`,
      expected: 'a JSON body with the calling JWT (4.1)',
      fix: 'Answer with application/json.',
      evidence,
    })
  },
})
