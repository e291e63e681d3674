/** What obfuscators of JavaScript leave behind, also after a minifier. */

/** A list of strings that is turned until a sum is right: both ends of the attempt move its first string to the end. */
export const turning =
  /catch\s*(?:\(\s*[\w$]+\s*\)\s*)?\{\s*([\w$]+)(?:\.push|\[(['"])push\2\])\(\s*\1(?:\.shift|\[(['"])shift\3\])\(\)\s*\)/

/** The alphabet of base64 with small letters first, by which such a list is decoded. */
export const swappedAlphabet = /xyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\+\/=?['"`]/

/** Beside the alphabet: bytes that become escapes, and those a text. */
const decoding = /['"`]%['"`][\s\S]{0,80}['"`]00['"`][\s\S]{0,120}slice/
const farthest = 1500

/** Whether strings of a script are hidden from all but the running script. */
export function isObfuscated(script: string): boolean {
  return turning.test(script) || decodesSwapped(script)
}

/** Whether a script decodes base64 with small letters first. */
export function decodesSwapped(script: string): boolean {
  const at = script.search(swappedAlphabet)
  return at !== -1 && decoding.test(script.slice(at, at + farthest))
}

/** At least the least that a secret has. */
const swappedText = /^[A-Za-z0-9+/]{11,}={0,2}$/

/** What base64 with small letters first stands for; `null` where a text is none. */
export function fromSwapped(text: string): string | null {
  if (!swappedText.test(text)) return null
  const usual = text.replace(/[A-Za-z]/g, (letter) =>
    letter < 'a' ? letter.toLowerCase() : letter.toUpperCase(),
  )
  return Buffer.from(usual, 'base64').toString('latin1')
}
