/** More than the padding of base64. */
const cutCharacters = 4

/** The session without its last characters; null where some reader of sessions may take it for the same. */
export function cutSession(session: string): string | null {
  return hasTail(session) || session.length <= cutCharacters ? null : session.slice(0, -cutCharacters)
}

/** Padding, behind which decoders do not read, or a version or the name of a server, which are no part of the session's id. */
function hasTail(session: string): boolean {
  return /(=|[.~!:][a-z0-9-]{1,12})$/i.test(session)
}
