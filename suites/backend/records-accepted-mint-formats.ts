import { defineCheck } from '../../src/requirement/define.ts'
import { bodyShapes } from '../../src/roles/mint/body-shape.ts'
import { askPastCache } from './lib/ask-past-cache.ts'
import { describeReply } from './lib/describe-reply.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-09',
  role: 'backend',
  level: 'INFO',
  kind: 'positive',
  clauses: ['4.1'],
  title: 'records which mint response formats it accepts',
  why: 'The field that carries the token is not specified: a backend that accepts several formats keeps working when the mint changes.',
  how: {
    does: [
      'The suite\'s mint double answers with the token at "token", at "jwt", as a JSON string, as plain text, and at both fields.',
      'Records which of them the backend returns to the app.',
    ],
  },
  mints: 7,
  needs: ['backend', 'mintDouble'],
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      await judge.sandwich(
        async () => void (await backend.token()),
        async () => {
          const understood: Record<string, boolean | string> = {}
          for (const shape of bodyShapes) {
            double.shape(shape)
            const { reply, calls } = await askPastCache(parts, double)
            const token = backend.tokenOf(reply)
            if (calls.length === 0)
              understood[shape] = `not seen: the backend ${describeReply(reply)} without a mint call`
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
