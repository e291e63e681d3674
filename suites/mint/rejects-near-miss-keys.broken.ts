import { mintContract } from '../../src/contract/mint.ts'
import { ofMint, rows, warning } from '../lib/broken-rows.ts'
import { jsonAnswer, refusing } from './lib/variant-answers.ts'

const { prefix } = mintContract.key

const comparisons: Readonly<Record<string, (presented: string, key: string) => boolean>> = {
  'takes any key': () => true,
  'compares the first half only': (presented, key) => presented.startsWith(key.slice(0, 24)),
  'compares all but the last character': (presented, key) => presented.slice(0, 47) === key.slice(0, 47),
  'compares the last eight characters only': (presented, key) => presented.endsWith(key.slice(-8)),
  'is blind in the middle': (presented, key) =>
    presented.startsWith(key.slice(0, 16)) && presented.endsWith(key.slice(-8)),
  'takes the beginning of a key': (presented, key) => key.startsWith(presented),
  'takes a key with something behind it': (presented, key) => presented.startsWith(key),
  'ignores a dot behind the key': (presented, key) => presented.replace(/[.]+$/, '') === key,
  'ignores hyphens behind the key': (presented, key) => presented.replace(/-+$/, '') === key,
  'reads the key up to a dot that something follows': (presented, key) =>
    presented.split(/[.](?=.)/)[0] === key,
  'takes a key with something before it': (presented, key) => presented.endsWith(key),
  'folds case': (presented, key) => presented.toLowerCase() === key.toLowerCase(),
  'folds the case of the prefix': (presented, key) =>
    /^ac_live_/i.test(presented) && presented.slice(prefix.length) === key.slice(prefix.length),
  'knows a project whose key is unset': (presented, key) => presented === key || presented === 'undefined',
  'looks keys up in an object': (presented, key) => presented in { [key]: 'project' },
  'looks keys up by a pattern': (presented, key) => likePattern(presented).test(key),
  'looks keys up by a pattern of their length': (presented, key) =>
    presented.length === key.length && likePattern(presented).test(key),
}

export const broken = {
  ...ofMint({
    'takes any scheme': {
      presentedKey: ({ headers }) => /^\S+ +(\S+)$/.exec(headers.authorization ?? '')?.[1] ?? null,
    },
    'takes the key without a scheme': {
      presentedKey: ({ headers }) => (headers.authorization ?? '').replace(/^bearer +/i, '') || null,
    },
    'answers an error and a token with 200': {
      refuse: async ({ message }, _, tools) =>
        jsonAnswer({ error: message, token: await tools.issueFreely('any-user') }),
    },
  }),
  ...rows(comparisons, (keyMatches) => ({ mint: { keyMatches } })),
  ...warning(ofMint({ 'answers 500': refusing(500), 'answers 400': refusing(400) })),
}

function likePattern(text: string): RegExp {
  const escaped = text.replace(/[^\w%]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'i')
}
