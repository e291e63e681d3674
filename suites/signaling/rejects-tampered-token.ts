import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { fetchSpecimens, fetchUnseen, mustReject, type Rule, toAttacks } from './lib/try-attacks.ts'

const rule: Rule = {
  clause: '1.3',
  fix: 'Verify the signature over the exact bytes of the token before reading claims.',
}

export default defineCheck({
  id: 'SIG-21',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis: 'The token proves that the client may join as a userId: what was changed proves nothing (1.3).',
  title: 'rejects tampered tokens',
  why: 'A service that decodes a token without verifying it lets every holder of a token impersonate other users, without expiry.',
  how: {
    does: [
      'Changes copies of an accepted and of an unused token: one decoded byte of claims or signature flipped, the userId or exp rewritten, a header parameter added, parts added, emptied, truncated or extended, and the signature of another token inserted.',
      'For an encrypted token, damages every part.',
    ],
    fails: ['A success sign.'],
    warns: [
      'A success sign that the service takes back at once.',
      'A success sign for a token that only ends in one or two dots more, since its signature covers the same bytes.',
    ],
  },
  mints: 5,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, unknownUser }, judge) {
    await judge.sandwich(signaling.control, async () => {
      const donor = await fetchUnseen(callingTokens)
      const originals = await fetchSpecimens(callingTokens, signaling)
      const attacks = originals.flatMap(({ jwt, original, readable, name }) => {
        const made = tampered(original, { otherUser: unknownUser(), other: donor.original })
        const damaged = readable ? [] : tamperedParts(jwt, original.userId)
        return toAttacks([...damaged, ...made], name)
      })
      await mustReject(attacks, signaling, judge, rule)
    })
  },
})
