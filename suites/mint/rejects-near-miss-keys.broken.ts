import { mintContract } from '../../src/contract/mint.ts'
import { ofMint, rows, warning } from '../lib/broken-rows.ts'
import { jsonAnswer, refusing } from './lib/variant-answers.ts'

const { prefix } = mintContract.key

/** How a mint compares the presented key with its own. */
const comparisons: Readonly<Record<string, (presented: string, key: string) => boolean>> = {
  'takes any key': () => true,
  'takes any key with the prefix': (presented) => presented.startsWith(prefix),
  'takes any key of the right length': (presented, key) => presented.length === key.length,
  'compares the first half only': (presented, key) => presented.startsWith(key.slice(0, 24)),
  'compares all but the last character': (presented, key) => presented.slice(0, 47) === key.slice(0, 47),
  'compares the last eight characters only': (presented, key) => presented.endsWith(key.slice(-8)),
  'is blind in the middle': (presented, key) =>
    presented.startsWith(key.slice(0, 16)) && presented.endsWith(key.slice(-8)),
  'takes the beginning of a key': (presented, key) => key.startsWith(presented),
  'takes a key with something behind it': (presented, key) => presented.startsWith(key),
  'ignores punctuation behind the key': (presented, key) => withoutEnd(presented, '-_.~') === key,
  'ignores a dot behind the key': (presented, key) => withoutEnd(presented, '.') === key,
  'ignores a tilde behind the key': (presented, key) => withoutEnd(presented, '~') === key,
  'ignores hyphens behind the key': (presented, key) => withoutEnd(presented, '-') === key,
  'ignores underscores behind the key': (presented, key) => withoutEnd(presented, '_') === key,
  'reads the key up to a dot that something follows': (presented, key) =>
    presented.split(/[.](?=.)/)[0] === key,
  'takes a key with something before it': (presented, key) => presented.endsWith(key),
  'folds case': (presented, key) => presented.toLowerCase() === key.toLowerCase(),
  'folds the case of the prefix': (presented, key) =>
    /^ac_live_/i.test(presented) && presented.slice(prefix.length) === key.slice(prefix.length),
  'folds the case of the second half': (presented, key) =>
    presented.slice(0, 28) === key.slice(0, 28) && presented.toLowerCase() === key.toLowerCase(),
  'knows a project whose key is unset': (presented, key) => presented === key || presented === 'undefined',
  'knows a project whose key is null': (presented, key) => presented === key || presented === 'null',
  'looks keys up in an object': (presented, key) => presented in { [key]: 'project' },
  'looks keys up by a pattern': (presented, key) => likePattern(presented).test(key),
  'looks keys up by a pattern of their length': (presented, key) =>
    presented.length === key.length && likePattern(presented).test(key),
}

export const broken = {
  ...ofMint({
    'reads the key up to the first sign that keys do not have': {
      presentedKey: ({ headers }) => /^bearer +([\w-]+)/i.exec(headers.authorization ?? '')?.[1] ?? null,
    },
    'takes any scheme': {
      presentedKey: ({ headers }) => /^\S+ +(\S+)$/.exec(headers.authorization ?? '')?.[1] ?? null,
    },
    'takes the key without a scheme': {
      presentedKey: ({ headers }) => (headers.authorization ?? '').replace(/^bearer +/i, '') || null,
    },
    'takes the key as bare Basic': {
      presentedKey: ({ headers }) =>
        /^(?:bearer|basic) +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null,
    },
    'looks keys up in an object, and takes what is no function': {
      keyMatches(presented, key) {
        const projects: Record<string, unknown> = { [key]: 'project' }
        return presented in projects && typeof projects[presented] !== 'function'
      },
    },
    'answers an error and a token with 200': {
      refuse: async ({ message }, _, tools) =>
        jsonAnswer({ error: message, token: await tools.issueFreely('any-user') }),
    },
  }),
  ...rows(comparisons, (keyMatches) => ({ mint: { keyMatches } })),
  ...warning(ofMint({ 'answers 500': refusing(500), 'answers 400': refusing(400) })),
}

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
