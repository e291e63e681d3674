import { findSecret } from '../../../src/base/find-secret/find-secret.ts'
import type { Backend } from '../../../src/roles/backend/driver.ts'

/** A shorter part of a session may be an id or a word. */
const shortestPart = 12

interface Sent {
  readonly session: string
  readonly userId: string
  /** Texts that a mint request carries, one a place. */
  readonly texts: readonly string[]
}

export async function findSoleParts(
  backend: Pick<Backend, 'request' | 'tokenOf'>,
  { session, userId, texts }: Sent,
): Promise<string[]> {
  const parts = session
    .split(/[.:|_]|%2E/i)
    .filter((part) => part.length >= shortestPart && part !== session && !userId.includes(part))
  const sole: string[] = []
  for (const part of new Set(parts)) {
    if (texts.every((text) => findSecret(text, part) === null)) continue
    const reply = await backend.request({ session: part, case: 'a part of a session alone' })
    if (backend.tokenOf(reply) !== null) sole.push(part)
  }
  return sole
}
