import { defineCheck } from '../../src/requirement/define.ts'
import { mintShapes } from '../../src/roles/mint/body-shape.ts'
import { askPastCache } from './ask-past-cache.ts'
import { describeReply } from './describe-reply.ts'
import { shortLifetime } from './with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-09',
  role: 'backend',
  level: 'INFO',
  clauses: ['4.1'],
  title: 'understands some of the bodies that a mint may answer with',
  why: 'The field that holds the token is not specified: a backend that reads several goes on working when the mint changes.',
  how: "The suite's mint double answers with the token at token, at jwt, as a JSON string, as bare text, and at both fields. Which of them the backend makes its own answer of is recorded.",
  mints: 7,
  needs: ['backend', 'mintDouble'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    await mintDouble.alone(async (double) => {
      double.lifetime(shortLifetime)
      await judge.sandwich(
        async () => void (await backend.token()),
        async () => {
          const understood: Record<string, boolean | string> = {}
          for (const shape of mintShapes) {
            double.shape(shape)
            const { reply, calls } = await askPastCache(parts, double)
            const token = backend.tokenOf(reply)
            if (calls.length === 0)
              understood[shape] = `not seen: ${describeReply(reply)} without a mint call`
            else understood[shape] = token !== null && calls.some(({ issued }) => issued === token)
          }
          double.shape(null)
          judge.observe('backend.bodyShapes', understood)
        },
      )
    })
  },
  catches: {},
})
