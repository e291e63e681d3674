import { defineCheck } from '../../src/requirement/define.ts'
import { jsonAnswer } from './variant-answers.ts'

export default defineCheck({
  id: 'MINT-01',
  role: 'mint',
  level: 'MUST',
  clauses: ['4.1', '9.1'],
  title: 'answers a POST to its versioned path with a success in JSON',
  why: "Every customer's backend calls this one address, and reads the token out of a JSON body.",
  how: 'An ordinary request with the configured key is sent by POST to /api/v1/calling/token below mint.url. Anything but a status of the 200s with a body that parses as JSON is a failure.',
  mints: 1,
  needs: ['mint'],
  async run({ mint }, judge) {
    const reply = await mint.request({ followRedirects: true })
    const evidence = [reply.exchange]
    if (reply.kind === 'no-answer') {
      judge.must(false, { saw: `that the mint ${reply.message}`, expected: 'an answer', evidence })
      return
    }
    const isSuccess = judge.must(reply.status >= 200 && reply.status <= 299, {
      saw: `the status ${reply.status} for an ordinary POST`,
      expected: 'a status from 200 to 299',
      evidence,
    })
    if (!isSuccess) return
    judge.observe('mint.successStatus', reply.status)
    judge.must(reply.json !== undefined, {
      saw: `a body of ${reply.body.length} characters that is no JSON`,
      expected: 'a JSON body that carries the token',
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
