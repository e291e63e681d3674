import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { bodyShapes } from '../../src/roles/mint/body-shape.ts'
import { askPastCache } from './lib/ask-past-cache.ts'
import { describeReply } from './lib/describe-reply.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-09',
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
  run: (parts, judge) =>
    parts.mintDouble.scripted(async (double) => {
      const { backend } = parts
      double.lifetime(shortLifetime)
      await attack(judge, {
        control: () => backend.token(),
        cases: bodyShapes.map((shape) => ({ name: shape, shape })),
        together: false,
        of: 'for a mint response with its token by',
        async send({ shape }) {
          double.shape(shape)
          const name = `an ordinary request, which the mint answers by ${shape}`
          const { reply, calls } = await askPastCache(parts, double, { case: name })
          double.shape(null)
          const token = backend.tokenOf(reply)
          const understood =
            calls.length === 0
              ? `not seen: the backend ${describeReply(reply)} without a mint call`
              : token !== null && calls.some(({ issued }) => issued === token)
          return { understood, isUndecided: false, evidence: [reply.exchange] }
        },
        breaches: [],
        judgeAll: (tried) =>
          judge.observe(
            'backend.bodyShapes',
            Object.fromEntries(tried.map(({ one, seen }) => [one.name, seen.understood])),
          ),
      })
    }),
})
