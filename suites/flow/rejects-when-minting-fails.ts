import { defineCheck } from '../../src/requirement/define.ts'
import { askPastCache } from '../backend/ask-past-cache.ts'
import { jsonAnswer } from './variant-answers.ts'

/** More than one try and two repetitions turn a limit into a storm. */
const patience = 3

export default defineCheck({
  id: 'FLOW-06',
  role: 'flow',
  level: 'MUST',
  clauses: ['7', '4.2.4'],
  title: 'lets getAuthToken fail when the mint refuses',
  why: 'A refusal that reaches the app as a success puts an undefined token on the socket, and a refused backend that insists only makes a limit worse.',
  how: "The suite's mint double answers the backend with 402, 403 and 429. The route must then answer with another status than 2xx and without a token. How often the backend tried is recorded; more than three times for one request of the app is advised against.",
  mints: 2,
  needs: ['backend', 'mintDouble'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    const control = async () => void (await backend.token())
    await mintDouble.alone(async (double) => {
      double.lifetime(3)
      await judge.sandwich(control, async () => {
        for (const status of [402, 403, 429]) {
          const body = JSON.stringify({ error: { code: 'refused' } })
          double.answer(() => ({ status, body, headers: status === 429 ? { 'retry-after': '1' } : {} }))
          const { reply, calls } = await askPastCache(parts, double)
          const tries = calls.length
          if (tries === 0) {
            judge.untested('the backend answered from a cache, so it did not hear of the refusal')
            continue
          }
          judge.observe(`tries.${status}`, tries)
          const failed = reply.kind === 'no-answer' || reply.status < 200 || reply.status > 299
          judge.must(failed && backend.issuedBy(reply) === null, {
            saw: `${reply.kind === 'answer' ? `the status ${reply.status}` : reply.message} from the backend when the mint answered ${status}`,
            expected: 'another status than 2xx, and no token',
            evidence: [reply.exchange],
          })
          judge.advisory(tries <= patience, {
            saw: `${tries} mint requests for one request of the app when the mint answered ${status}`,
            expected: `at most ${patience}`,
            evidence: [reply.exchange],
          })
        }
        double.answer(null)
      })
    })
  },
  catches: {
    'answers 200 with an error': {
      backend: { mintFailed: () => jsonAnswer(200, { error: 'calling is not available' }) },
    },
    'answers 200 without a token': { backend: { mintFailed: () => jsonAnswer(200, { token: null }) } },
    'multiplies a refused request': {
      backend: {
        tokenFor: async (userId, { mint }) => {
          for (let tries = 1; tries < 10; tries += 1) {
            const minted = await mint(userId).catch(() => null)
            if (minted !== null) return minted
          }
          return await mint(userId)
        },
      },
      as: 'warn',
    },
  },
})
