import { defineCheck } from '../../src/requirement/define.ts'
import { createNearMissKeys, createPunctuatedKeys } from '../../src/roles/mint/near-miss-keys.ts'
import {
  type Attack,
  isOverloadStatus,
  judgeNoTokenIssued,
  judgeTypicalStatus,
  type Outcome,
  sendAttacks,
} from './lib/send-attacks.ts'

export default defineCheck({
  id: 'MINT-05',
  role: 'mint',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['7'],
  basis: 'An API key that is not valid is answered with an error (7).',
  title: 'rejects near-miss API keys',
  why: 'A comparison that checks only part of the key, or that ignores case, makes the key far easier to guess.',
  how: {
    does: [
      'Between two controls, sends keys that are unknown, truncated, extended, followed by a dot, a tilde, hyphens or underscores, changed in one character (at the start, in the middle, at the end) or written in another case; the valid key under a scheme other than Bearer or under none; SQL wildcards; the words "undefined" and "null"; and "constructor" and "__proto__", which every object of JavaScript has.',
      'The scheme in lower case is legal and not tried.',
      'A dot or a tilde counts where the same sign within the key is rejected: a decoder of base64 may skip it anywhere.',
      'Records Token, which some frameworks read as Bearer, and another case of a key whose letters have one case only.',
    ],
    fails: ['A token.'],
    warns: ['A status other than 401; 400 is right for a header that is no bearer token (RFC 6750, 3.1).'],
  },
  standards: ['RFC 6750, 3.1'],
  mints: 2,
  needs: ['mint'],
  async run(parts, judge) {
    const { apiKey } = parts.mint
    const wrongKeys = createNearMissKeys(apiKey, parts.randomBytes(apiKey.length).toString('hex')).map(
      ([name, key]) => ({ name, request: { key } }),
    )
    const punctuated = createPunctuatedKeys(apiKey)
    const punctuatedKeys = punctuated
      .flatMap((one) => [one, one.within])
      .map(({ name, key }) => ({ name, request: { key } }))
    const malformedKeys = wrongKeys.filter(({ request }) => !bearerToken.test(request.key))
    const wrongSchemes: Attack[] = [
      ...['ApiKey', 'Digest', 'Basic'].map((scheme) => ({
        name: `the key under the scheme ${scheme}`,
        request: { authorization: `${scheme} ${apiKey}` },
      })),
      { name: 'the key without a scheme', request: { authorization: apiKey } },
    ]
    await sendAttacks(parts, judge, [...wrongKeys, ...punctuatedKeys, ...wrongSchemes], (all) => {
      const decoded = punctuated.filter(
        ({ within }) => !isRejected(all.find(({ name }) => name === within.name)),
      )
      const skipped = new Set(decoded.flatMap(({ name, within }) => [name, within.name]))
      const outcomes = all.filter(({ name, hasMinted }) => !hasMinted || !skipped.has(name))
      judgeNoTokenIssued(judge, outcomes, {
        clause: '7',
        fix: 'Compare the whole key, case-sensitively and in constant time; of an object that keys are looked up in, only own properties count.',
      })
      const malformed = new Set([...malformedKeys, ...wrongSchemes].map(({ name }) => name))
      judgeTypicalStatus(
        judge,
        outcomes.filter(({ name, status }) => status !== 400 || !malformed.has(name)),
        401,
      )
    })
    const likeBearer = await parts.mint.request({ authorization: `Token ${apiKey}`, followRedirects: true })
    judge.observe('mint.takesTokenScheme', parts.mint.issuedBy(likeBearer) !== null)
  },
})

/** The mint has decided on the key, and issued nothing. */
function isRejected(outcome: Outcome | undefined): boolean {
  if (outcome === undefined || outcome.hasMinted || outcome.status === null) return false
  return outcome.isSettled === true || !isOverloadStatus(outcome.status)
}

/** RFC 6750, b64token. */
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/
