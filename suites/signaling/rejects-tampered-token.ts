import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { comparingUnderBlanks } from './lib/headers-with-blanks.ts'
import { takingBack } from './lib/taking-back.ts'
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
  catches: {
    'welcomes, and rejects at once': takingBack({ afterMs: 0, as: 'warn' }),
    'welcomes, and rejects 100 ms later': takingBack({ as: 'warn' }),
    'tells who is online before it rejects': takingBack({
      more: (peers) => [JSON.stringify({ type: 'online', users: peers.map((id) => ({ id })) })],
      as: 'fail',
    }),
    'decodes without verifying': { signaling: { signatureHolds: () => true } },
    'checks only that there is a signature': {
      signaling: { signatureHolds: ({ signature }) => signature.length >= 64 },
    },
    'asks for a known key only': {
      signaling: { signatureHolds: ({ header }, trust) => trust.key(header).then(() => true) },
    },
    'ignores what follows the third part': {
      signaling: {
        split(token) {
          const [header, payload, signature] = token.split('.')
          return header && payload && signature ? [header, payload, signature] : null
        },
      },
    },
    'ignores empty parts behind the third': {
      signaling: { split: ignoringEmptyParts },
      as: 'warn',
    },
    'ignores what follows the signature': {
      signaling: {
        split(token) {
          const [header, payload, signature, ...others] = token.split('.')
          const isWhole = header !== undefined && payload !== undefined && others.length === 0
          return isWhole ? [header, payload, (signature ?? '').slice(0, 86)] : null
        },
      },
    },
    'compares the beginning of the signature, under headers with blanks': comparingUnderBlanks(
      (given, right) => given.subarray(0, 8).equals(right.subarray(0, 8)),
    ),
    'compares the end of the signature, under headers with blanks': comparingUnderBlanks((given, right) =>
      given.subarray(-8).equals(right.subarray(-8)),
    ),
    'compares signatures as text, under headers with blanks': comparingUnderBlanks(
      (given, right) => given.toString() === right.toString(),
    ),
    'knows a signature again by its end': {
      signaling: { verdictKey: (credential) => credential.split('.')[2]?.slice(-20) ?? null },
    },
    'knows a token again by its first letters': {
      signaling: { verdictKey: (credential) => credential.split('.').slice(0, 2).join('.').slice(0, 250) },
    },
    'remembers signatures that were accepted': {
      signaling: { verdictKey: (credential) => credential.split('.')[2] ?? null },
    },
    'remembers payloads that were accepted': {
      signaling: { verdictKey: (credential) => credential.split('.')[1] ?? null },
    },
    'remembers header and payload that were accepted': {
      signaling: { verdictKey: (credential) => credential.split('.').slice(0, 2).join('.') },
    },
    'remembers users that were verified': {
      signaling: {
        verdictKey: (credential) =>
          /"sub":"[^"]*"/.exec(Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString())?.[0] ??
          null,
      },
    },
  },
})

function ignoringEmptyParts(token: string): readonly [string, string, string] | null {
  const [header, payload, signature, ...others] = token.split('.')
  return header && payload && signature && others.every((part) => part === '')
    ? [header, payload, signature]
    : null
}
