/** A turn of phrase that no text for users contains, and what to write instead. */
export interface BannedTurn {
  readonly turn: RegExp
  readonly instead: string
}

const bannedTurns: readonly BannedTurn[] = [
  { turn: /\b(?:some|any)body\b/i, instead: 'any user, another user, any client' },
  { turn: /\bnobody\b/i, instead: 'no user, no client' },
  { turn: /\bwhoever\b/i, instead: 'any party that …' },
  { turn: /\bstrangers?\b/i, instead: 'an unauthenticated client, an untrusted signer' },
  { turn: /\b(?:is|are|was|were) seen to\b/i, instead: 'records …' },
  { turn: /\bin some way\b/i, instead: 'the behaviour itself' },
  { turn: /\btreat(?:s|ed)?\b/i, instead: 'handles, records handling of …' },
  { turn: /\bpass(?:es|ed)? (?:it |them )?on\b/i, instead: 'forwards' },
  { turn: /\b(?:hands|handed) (?:it )?out\b/i, instead: 'returns, issues' },
  { turn: /\b(?:get|gets|got) in\b/i, instead: 'connects, is accepted' },
  { turn: /\b(?:let|lets) (?:\w+ )?in\b/i, instead: 'accepts' },
  { turn: /\bis there\b/i, instead: 'exists, is configured' },
  { turn: /\bstands?\b/i, instead: 'appears, is' },
  { turn: /\bthat (?:holds|hold|does not hold|do not hold)\b/i, instead: 'valid, invalid' },
  { turn: /\bstill holds\b/i, instead: 'is still valid' },
  { turn: /\b(?:becomes|became) of\b/i, instead: 'happens to' },
  // The key backend.sessions.odd is a name.
  { turn: /(?<!sessions\.|#)\bodd\b/i, instead: 'malformed, out-of-range' },
  { turn: /\bon its own way\b/i, instead: 'on its permitted hop' },
]

/** Each banned turn in the text, as "…": write …. */
export function bannedTurnsIn(text: string): string[] {
  return bannedTurns.flatMap(({ turn, instead }) => {
    const found = turn.exec(text)
    return found === null ? [] : [`"${found[0]}": write ${instead}`]
  })
}
