import { defineCheck } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export default defineCheck({
  id: 'MINT-01',
  role: 'mint',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.1', '9.1'],
  title: 'answers POST on the versioned path with a JSON success',
  why: "Every customer's backend calls this one endpoint and reads the token from a JSON body.",
  how: 'Sends a valid POST with the configured key to /api/v1/calling/token below mint.url. Expects a 2xx status and a body that parses as JSON; anything else fails.',
  mints: 1,
  needs: ['mint'],
  async run({ mint }, judge) {
    const reply = await mint.request({ followRedirects: true })
    const evidence = [reply.exchange]
    if (reply.kind === 'no-answer') {
      judge.must(false, {
        saw: `no response: the mint ${reply.message}`,
        expected: 'a 2xx response (4.1)',
        fix: 'Serve the mint endpoint by POST at the versioned path.',
        evidence,
      })
      return
    }
    const isSuccess = judge.must(reply.status >= 200 && reply.status <= 299, {
      saw: `status ${reply.status} for a valid POST to the mint endpoint`,
      expected: 'a 2xx status (4.1)',
      fix: 'Serve the mint endpoint by POST at the versioned path.',
      evidence,
    })
    if (!isSuccess) return
    judge.observe('mint.successStatus', reply.status)
    judge.must(reply.json !== undefined, {
      saw: `status ${reply.status} with a body of ${reply.body.length} characters that is not JSON`,
      expected: 'a JSON body with the calling JWT (4.1)',
      fix: 'Answer with application/json.',
      evidence,
    })
  },
  catches: {
    'lives at another path': { mint: { path: '/api/calling/token' } },
    'lives under another version': { mint: { path: '/api/v2/calling/token' } },
    'takes GET only': { mint: { methods: ['GET'] } },
    'takes PUT only': { mint: { methods: ['PUT'] } },
    'answers a success as a form': {
      mint: { success: (token) => ({ ...jsonAnswer(null), body: `token=${token}` }) },
    },
    'answers a success as bare text': {
      mint: { success: (token) => ({ ...jsonAnswer(null), body: token }) },
    },
    'answers a success without a body': {
      mint: { success: () => ({ status: 204, headers: {}, body: '' }) },
    },
    'answers every ordinary request with 500': {
      mint: { success: () => jsonAnswer({ error: 'failed' }, 500) },
    },
    'redirects to a page': {
      mint: {
        success: () => ({ status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' }),
      },
    },
  },
})
