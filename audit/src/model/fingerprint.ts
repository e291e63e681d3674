import { createHash } from 'node:crypto'

/** The same secret has the same fingerprint in every place and run, so that a baseline keeps working. */
export function fingerprintOf(secret: string): string {
  const digest = createHash('sha256').update('twotoken\0').update(secret, 'utf8').digest('hex')
  return `sha256:${digest.slice(0, 16)}`
}

/** All that is ever shown of a secret: its prefix and its length. */
export function shownAs(prefix: string, length: number): string {
  return `${prefix}… (${length} characters)`
}
