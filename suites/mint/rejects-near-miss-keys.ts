import { defineCheck } from '../../src/requirement/define.ts'
import { createNearMissKeys, createPunctuatedKeys } from '../../src/roles/mint/near-miss-keys.ts'
import { isOverload } from '../backend/lib/describe-reply.ts'
import { noToken, rejectRequests, typicalStatus } from './lib/reject-requests.ts'

export default defineCheck({
  id: 'MINT-05',
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
    const { mint, randomBytes } = parts
    const { apiKey } = mint
    const nearMisses = createNearMissKeys(apiKey, randomBytes(apiKey.length).toString('hex'))
    const withSigns = await Promise.all(
      createPunctuatedKeys(apiKey).map(async ({ name, key, within }) => {
        const reply = await mint.request({ key: within.key, followRedirects: true, case: within.name })
        return mint.issuedBy(reply) !== null || isOverload(reply) ? [] : [[name, key] as const]
      }),
    )
    const cases = [
      ...[...nearMisses, ...withSigns.flat()].map(([name, key]) => ({
        name,
        request: { key },
        isMalformed: !bearerToken.test(key),
      })),
      ...['ApiKey ', 'Digest ', 'Basic ', ''].map((scheme) => ({
        name: scheme === '' ? 'the key without a scheme' : `the key under the scheme ${scheme.trim()}`,
        request: { authorization: scheme + apiKey },
        isMalformed: true,
      })),
    ]
    const malformed = new Set(cases.filter(({ isMalformed }) => isMalformed).map(({ name }) => name))
    await rejectRequests(parts, judge, cases, [
      noToken(
        '7',
        'Compare the whole key, case-sensitively and in constant time; of an object that keys are looked up in, only own properties count.',
      ),
      typicalStatus(401, (status, { name }) => status === 400 && malformed.has(name)),
    ])
    const likeBearer = await mint.request({ authorization: `Token ${apiKey}`, followRedirects: true })
    judge.observe('mint.takesTokenScheme', mint.issuedBy(likeBearer) !== null)
  },
})

/** RFC 6750, b64token. */
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/
