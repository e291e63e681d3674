import { defineCheck } from '../../src/requirement/define.ts'
import { judgeStateKey } from './judge-state-key.ts'
import { jsonAnswer } from './variant-answers.ts'

export default defineCheck({
  id: 'MINT-17',
  role: 'mint',
  level: 'MUST',
  clauses: ['7', '8'],
  title: 'issues nothing for a key at its trial mint cap',
  why: 'A cap that does not hold is none, and a customer who was promised one pays for the difference.',
  how: 'Between two ordinary requests, the key at mint.keys.capped asks for tokens; no live cap is ever exhausted. A token is a failure where the operator vouches for the state (attested), else an unmet precondition; another status than 429 is a warning. Retry-After is recorded.',
  mints: 2,
  needs: ['mint', 'cappedKey'],
  async run(parts, judge) {
    await judgeStateKey(parts, judge, parts.cappedKey, {
      name: 'at its trial mint cap',
      setting: 'mint.keys.capped',
      typicalStatus: 429,
    })
  },
  catches: {
    'mints past the cap': { mint: { admit: () => undefined } },
    'refuses every other time only': { mint: everyOther() },
    'refuses with a token': {
      mint: {
        refuse: async ({ status }, _, tools) =>
          jsonAnswer({ jwt: await tools.issueFreely('anybody') }, status),
      },
    },
    'answers 403': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 403) }, as: 'warn' },
    'answers 503': { mint: { refuse: () => jsonAnswer({ error: 'no' }, 503) }, as: 'warn' },
  },
})

function everyOther() {
  let count = 0
  return {
    admit({ remainingMints }: { readonly remainingMints: number | null }) {
      if (remainingMints !== 0) return
      count += 1
      if (count % 2 === 1) throw new Error('the cap is reached')
    },
  }
}
