import { expect, test } from 'vitest'
import { cluesFor } from './clues.ts'
import { fragmentsOf } from './fragments.ts'

function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const filler = 'function later(options){return options.list.map((item)=>item.name+"x")};'
const body = '9fK2mQ7xLp3Rt8Wz1Bv6'

/** Cuts a text at random places, no two of which are next to each other. */
function cut(text: string, random: (below: number) => number): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const to = Math.min(text.length, from + 2 + random(9))
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

type Random = (below: number) => number

/** How a script puts pieces together. */
const ways: Readonly<Record<string, (pieces: readonly string[], random: Random) => string>> = {
  'names in any order': (pieces, random) =>
    pieces
      .map((piece, index) => `const n${index}=${quoted(piece, random)};${filler}`)
      .sort(() => random(3) - 1)
      .concat(`use(${pieces.map((_, index) => `n${index}`).join('+')})`)
      .join(''),
  'a list': (pieces, random) => `use([${pieces.map((piece) => quoted(piece, random)).join(', ')}].join(""))`,
  'a template': (pieces, random) =>
    `use(\`${pieces.map((piece, index) => (index % 2 === 0 ? piece : `\${${quoted(piece, random)}}`)).join('')}\`)`,
  'code in a string': (pieces) => `eval("use(${pieces.map((piece) => `\\"${piece}\\"`).join('+')})")`,
  'single characters': (pieces) => `use(${[...pieces.join('')].map((char) => `'${char}'`).join(' + ')})`,
  'single characters in a list': (pieces) =>
    `use([${[...pieces.join('')].map((char) => `"${char}"`).join(',\n  ')}])`,
}

function quoted(text: string, random: Random): string {
  const mark = ['"', "'", '`'][random(3)] ?? '"'
  return mark + text + mark
}

const key = (prefix: string) => `${prefix}${body}`
const forms: Readonly<Record<string, (prefix: string) => string>> = {
  plain: key,
  'against its direction': (prefix) => [...key(prefix)].reverse().join(''),
  'in capitals': (prefix) => `${prefix.toUpperCase()}${body}`,
  'in hexadecimal': (prefix) => Buffer.from(key(prefix)).toString('hex'),
  'in base64': (prefix) => Buffer.from(key(prefix)).toString('base64'),
  'in base64 at another alignment': (prefix) => Buffer.from(`k=${key(prefix)}`).toString('base64'),
}
const isEncoded = (form: string) => / in (?:hexa|base)/.test(` ${form}`)

test.each(Object.keys(forms).flatMap((form) => Object.keys(ways).map((way) => [form, way] as const)))(
  'a key %s in %s is seen',
  (form, way) => {
    const random = randomFrom(7)
    for (const prefix of ['ac_live_', 'sk-live-eu:'])
      for (let round = 0; round < 40; round++) {
        const text = forms[form]?.(prefix) ?? ''
        // An encoded text is never cut into pieces of four characters only.
        const pieces = isEncoded(form) ? halves(text, random) : cut(text, random)
        const written = ways[way]?.(pieces, random) ?? ''
        if (isEncoded(form) && way.startsWith('single')) continue
        const script = `${filler.repeat(random(3))}${written};${filler}`
        expect(fragmentsOf(prefix).inBytes(Buffer.from(script)), script).toBe(true)
        expect(fragmentsOf(prefix).inText(script), script).toBe(true)
      }
  },
)

function halves(text: string, random: Random): string[] {
  const middle = 2 + random(text.length - 4)
  return [text.slice(0, middle), text.slice(middle)]
}

test.each([
  ['an alphabet in a list', `use([${[...'abcdefghijklmnopqrstuvwxyz_'].map((char) => `"${char}"`)}])`],
  ['names of types', 'const types={"application/pkix-attr-cert":["ac"],"text/x-livescript":["ls"]}'],
  ['a word', 'const region={role:"live_region",mode:"live"}'],
  ['a name that holds what tokens begin with', 'export{exportKeyJwk,exportKeyRaw} from "./keyJson.js"'],
  ['a table of codes', `String.fromCharCode(${Array.from({ length: 60 }, (_, at) => 30 + at)})`],
  ['HTML', `const page='<ul><li>'+item+'</li></ul>';const v="v";const e="e"`],
  ['the ends of words', `use("Mac","_","li","ve_"); use("FLAC","_","LI","VE_"); use("e","vi","l_","case")`],
  ['escapes of other texts', String.raw`use("\x61 \u005f \u{63} \141","\u20ac","\xac","_","li","ve","_")`],
])('%s is no reason to parse', (_, script) => {
  expect(fragmentsOf('ac_live_').inBytes(Buffer.from(script))).toBe(false)
})

test.each([
  ['a word before it', `use("Bearer ac"+"_li"+"ve_${body}")`],
  ['an escape before it', String.raw`use("Bearer\x20ac"+"_li"+"ve_"); use("\u0020a"+"c_"+"li"+"ve_"); `],
  ['escapes of pieces', String.raw`const k=["\x61\x63","\u005f\u{6c}i"];use(k.join("")+"\166e_")`],
  ['escapes in a string of a string', String.raw`eval("use('\\x61\\x63_'+'live_')")`],
  ['escapes of single characters', String.raw`use(["\x61","\x63","\x5f","l","\x69","v","e","_"])`],
  ['an escaped token', String.raw`use("\x65yJhbGciOi"+rest)`],
  ['a mark in escapes between', String.raw`use("\x61\x2dc\x2d_\x2dl".split("-"))`],
])('a prefix in pieces with %s is seen', (_, script) => {
  expect(fragmentsOf('ac_live_').inBytes(Buffer.from(script))).toBe(true)
})

test.each([
  ['words of two letters in a list', 'x=["ac","li","ve","sk"],y="_b"'],
  ['the head of a token that proves a key', 'x={alg:"ES256",typ:"dpop+jwt",jwk:k};btoa(x)'],
  ['names of parameters', 'function f(a,c,_,u){return g(a,c,_,u)}'],
  ['escapes of marks', String.raw`s.charCodeAt(i)^240;x="\v\v\v\v\v\v\v\v"`],
])('%s alone are no reason to parse', (_, script) => {
  expect(fragmentsOf('ac_live_').inBytes(Buffer.from(script))).toBe(false)
})

test.each([
  ['a guard', 'export const g=k=>k.startsWith("ac_live_")', false],
  ['a word of it', 'use("live")', false],
  ['a piece', 'export const one="ac_l"', true],
  ['it behind another text, with the begin of a key', 'export const head="Bearer ac_live_9fK2"', true],
  ['a piece inside', 'export const inner="c_li"', true],
  ['all of it', 'export const all="ac_live_"', true],
])('reads %s as what it is to other scripts', (_, script, read) => {
  expect(fragmentsOf('ac_live_').read(Buffer.from(script)).hasPiece).toBe(read)
})

test('every sign is marked', () => {
  const signs = [
    '"live"',
    "'ive'",
    '"_live"',
    '\\x5f',
    '\\u{63}',
    '97, 99,\n95',
    '0x5F,0x65,0x76',
    'eyJh',
    'calling/token',
  ]
  for (const sign of signs) {
    const clue = cluesFor('ac_live_').find((one) => one.sign.test(sign))
    const isHeld = clue?.marks?.some((mark) =>
      Array.from(sign, (__, at) => at).some((at) =>
        mark.every((classes, place) => classes.includes(sign[at + place] ?? ' ')),
      ),
    )
    expect([sign, isHeld]).toEqual([sign, true])
  }
})
