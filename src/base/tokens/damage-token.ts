import { randomBytes } from 'node:crypto'

/** Changes one character in the middle of the signature: some bits of its last character are padding. */
export function damageSignature(jwt: string): string {
  const start = jwt.lastIndexOf('.') + 1
  const at = start + Math.floor((jwt.length - start) / 2)
  return `${jwt.slice(0, at)}${jwt[at] === 'A' ? 'B' : 'A'}${jwt.slice(at + 1)}`
}

/** Random text with the length and the dots of a token, so that only its content makes a difference. */
export function scrambleToken(jwt: string): string {
  const random = randomBytes(jwt.length).toString('base64url')
  return [...jwt].map((letter, at) => (letter === '.' ? letter : (random[at] ?? ''))).join('')
}
