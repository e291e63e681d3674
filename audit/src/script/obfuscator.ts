/** Traces that obfuscators of JavaScript leave behind, also after a minifier. */

/** A list of strings that is turned until a sum is right: both ends of the attempt move its first string to the end. */
const turning =
  /catch\s*(?:\(\s*[\w$]+\s*\)\s*)?\{\s*([\w$]+)(?:\.push|\[(['"])push\2\])\(\s*\1(?:\.shift|\[(['"])shift\3\])\(\)\s*\)/

/** The alphabet of base64 with small letters first, by which such a list is decoded. */
const swappedAlphabet = /xyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\+\/=?['"`]/

/** Other tools that hide strings until the script runs, with a part of every script that they write. */
const obfuscators: readonly { readonly by: string; readonly sign: RegExp }[] = [
  { by: 'JSFuck', sign: /!\[\]\+[[\]()!+]{80}/ },
  // Its table of digits, which are written in underscores and dollar signs.
  { by: 'jjencode', sign: /=\{___:\+\+[\w$]{1,20},\$\$\$\$:/ },
  // Its digits are faces: a Cyrillic letter between two Japanese marks, also as the bytes of UTF-8.
  {
    by: 'aaencode',
    sign: /\((?:\xef\xbe\x9f\xd0\x94\xef\xbe\x9f|\uff9f\u0414\uff9f)\)\s?\[(?:\xef\xbe\x9f|\uff9f)/,
  },
  { by: 'a packer', sign: /\beval\(function\(p,a,c,k,e,[a-z]\)/ },
  // It writes strings to the base of 91, whose values come in 13 or 14 bits.
  {
    by: 'js-confuser',
    sign: /&\s*(?:0x1fff|8191)\)\s*>\s*(?:0x58|88)\s*\?\s*(?:0xd|13)\s*:\s*(?:0xe|14)/,
  },
  // It seeds what mixes its numbers with these constants.
  {
    by: 'js-confuser',
    sign: /\b(?:0x9e3779b9|2654435769)\s*,\s*[\w$]+\s*=\s*(?:0x243f6a88|608135816)\b/,
  },
]

/** How base64's relatives of 91 characters write it, which are no obfuscators. */
const plainAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'

/** Names the tool that hid a script's strings from all but the running script; `null` without one. */
export function obfuscatorOf(script: string): string | null {
  const found = obfuscators.find(({ sign }) => sign.test(script))
  if (found !== undefined && !script.includes(plainAlphabet)) return found.by
  return turning.test(script) || decodesSwapped(script) ? 'javascript-obfuscator' : null
}

/** Beside the alphabet: bytes that become escapes, and those a text. */
const decoding = /['"`]%['"`][\s\S]{0,80}['"`]00['"`][\s\S]{0,120}slice/
const farthest = 1500

/** Says whether a script decodes base64 with small letters first. */
function decodesSwapped(script: string): boolean {
  const at = script.search(swappedAlphabet)
  return at !== -1 && decoding.test(script.slice(at, at + farthest))
}
