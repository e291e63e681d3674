import { defineCheck } from '../../src/requirement/define.ts'
import {
  createNearMissKeys,
  createPunctuatedKeys,
  keyPrefix as prefix,
} from '../../src/roles/mint/near-miss-keys.ts'
import {
  type Attack,
  isOverloadStatus,
  judgeNoTokenIssued,
  judgeTypicalStatus,
  type Outcome,
  sendAttacks,
} from './lib/send-attacks.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

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
  catches: {
    'takes any key': { mint: { keyMatches: () => true } },
    'takes any key with the prefix': { mint: { keyMatches: (presented) => presented.startsWith(prefix) } },
    'takes any key of the right length': {
      mint: { keyMatches: (presented, key) => presented.length === key.length },
    },
    'compares the first half only': {
      mint: { keyMatches: (presented, key) => presented.startsWith(key.slice(0, 24)) },
    },
    'compares all but the last character': {
      mint: { keyMatches: (presented, key) => presented.slice(0, 47) === key.slice(0, 47) },
    },
    'compares the last eight characters only': {
      mint: { keyMatches: (presented, key) => presented.endsWith(key.slice(-8)) },
    },
    'is blind in the middle': {
      mint: {
        keyMatches: (presented, key) =>
          presented.startsWith(key.slice(0, 16)) && presented.endsWith(key.slice(-8)),
      },
    },
    'takes the beginning of a key': { mint: { keyMatches: (presented, key) => key.startsWith(presented) } },
    'takes a key with something behind it': {
      mint: { keyMatches: (presented, key) => presented.startsWith(key) },
    },
    'ignores punctuation behind the key': {
      mint: { keyMatches: (presented, key) => withoutEnd(presented, '-_.~') === key },
    },
    'ignores a dot behind the key': {
      mint: { keyMatches: (presented, key) => withoutEnd(presented, '.') === key },
    },
    'ignores a tilde behind the key': {
      mint: { keyMatches: (presented, key) => withoutEnd(presented, '~') === key },
    },
    'ignores hyphens behind the key': {
      mint: { keyMatches: (presented, key) => withoutEnd(presented, '-') === key },
    },
    'ignores underscores behind the key': {
      mint: { keyMatches: (presented, key) => withoutEnd(presented, '_') === key },
    },
    'reads the key up to the first sign that keys do not have': {
      mint: {
        presentedKey: ({ headers }) => /^bearer +([\w-]+)/i.exec(headers.authorization ?? '')?.[1] ?? null,
      },
    },
    'reads the key up to a dot that something follows': {
      mint: { keyMatches: (presented, key) => presented.split(/[.](?=.)/)[0] === key },
    },
    'takes a key with something before it': {
      mint: { keyMatches: (presented, key) => presented.endsWith(key) },
    },
    'folds case': {
      mint: { keyMatches: (presented, key) => presented.toLowerCase() === key.toLowerCase() },
    },
    'folds the case of the prefix': {
      mint: {
        keyMatches: (presented, key) =>
          /^ac_live_/i.test(presented) && presented.slice(prefix.length) === key.slice(prefix.length),
      },
    },
    'folds the case of the second half': {
      mint: {
        keyMatches: (presented, key) =>
          presented.slice(0, 28) === key.slice(0, 28) && presented.toLowerCase() === key.toLowerCase(),
      },
    },
    'takes any scheme': {
      mint: { presentedKey: ({ headers }) => /^\S+ +(\S+)$/.exec(headers.authorization ?? '')?.[1] ?? null },
    },
    'takes the key without a scheme': {
      mint: {
        presentedKey: ({ headers }) => (headers.authorization ?? '').replace(/^bearer +/i, '') || null,
      },
    },
    'takes the key as bare Basic': {
      mint: {
        presentedKey: ({ headers }) =>
          /^(?:bearer|basic) +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null,
      },
    },
    'knows a project whose key is unset': {
      mint: { keyMatches: (presented, key) => presented === key || presented === 'undefined' },
    },
    'knows a project whose key is null': {
      mint: { keyMatches: (presented, key) => presented === key || presented === 'null' },
    },
    'looks keys up in an object': {
      mint: { keyMatches: (presented, key) => presented in { [key]: 'project' } },
    },
    'looks keys up in an object, and takes what is no function': {
      mint: {
        keyMatches(presented, key) {
          const projects: Record<string, unknown> = { [key]: 'project' }
          return presented in projects && typeof projects[presented] !== 'function'
        },
      },
    },
    'looks keys up by a pattern': {
      mint: { keyMatches: (presented, key) => likePattern(presented).test(key) },
    },
    'looks keys up by a pattern of their length': {
      mint: {
        keyMatches: (presented, key) => presented.length === key.length && likePattern(presented).test(key),
      },
    },
    'answers an error and a token with 200': {
      mint: {
        refuse: async ({ message }, _, tools) =>
          jsonAnswer({ error: message, token: await tools.issueFreely('any-user') }),
      },
    },
    'answers 500': { mint: { refuse: () => jsonAnswer({ error: 'failed' }, 500) }, as: 'warn' },
    'answers 400': { mint: { refuse: () => jsonAnswer({ error: 'bad key' }, 400) }, as: 'warn' },
  },
})

/** The mint has decided on the key, and issued nothing. */
function isRejected(outcome: Outcome | undefined): boolean {
  if (outcome === undefined || outcome.hasMinted || outcome.status === null) return false
  return outcome.isSettled === true || !isOverloadStatus(outcome.status)
}

/** RFC 6750, b64token. */
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/

/** Trims these signs at the end. */
function withoutEnd(text: string, signs: string): string {
  let length = text.length
  while (length > 0 && signs.includes(text.charAt(length - 1))) length -= 1
  return text.slice(0, length)
}

/** SQL's LIKE. */
function likePattern(text: string): RegExp {
  const escaped = text.replace(/[^\w%]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'i')
}
