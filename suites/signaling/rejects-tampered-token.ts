import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { rejectCredentials, toCredentials } from './lib/reject-credentials.ts'
import { fetchSpecimens, fetchUnseen } from './lib/specimens.ts'

const fix = 'Verify the signature over the exact bytes of the token before reading claims.'

export default defineCheck({
  id: 'SIG-21',
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
  async run(parts, judge) {
    const donor = await fetchUnseen(parts)
    const originals = await fetchSpecimens(parts)
    const cases = originals.flatMap(({ jwt, original, readable, name }) => {
      const made = tampered(original, { otherUser: parts.unknownUser(), other: donor.original })
      const damaged = readable ? [] : tamperedParts(jwt, original.userId)
      return toCredentials([...damaged, ...made], name)
    })
    await rejectCredentials(parts.signaling, judge, cases, fix)
  },
})
