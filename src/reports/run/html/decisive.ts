import type { Finding } from '../../../requirement/judge.ts'

/** The parts of a message that a finding speaks of. */
export interface Decisive {
  start(line: string): boolean
  header(name: string, value: string): boolean
  /** A member of a JSON body, as it is written. */
  member(name: string, text: string): boolean
}

/** Headers whose names are words of every sentence about tokens. */
const sharedWords = new Set(['date', 'from', 'host', 'server', 'via', 'connection'])
const session = '‹session'
const callingToken = '‹calling-jwt'

/** The parts of a request or of its answer that have the words of a finding: its status, headers, fields and tokens. */
export function findDecisive(finding: Finding, isAnswer: boolean): Decisive {
  const said = finding.seen === undefined ? finding.message : `${finding.seen} ${finding.case ?? ''}`
  const words = new Set(said.match(/[\w-]+/g))
  const spelled = new Set([...words].map((word) => word.toLowerCase()))
  const speaksOfSession = !isAnswer && /session/i.test(said)
  const speaksOfToken = isAnswer && /\b(?:tokens?|JWTs?)\b/.test(said)
  return {
    start: (line) => isAnswer && words.has(line.slice(0, 3)),
    header: (header, value) =>
      (spelled.has(header.toLowerCase()) && !sharedWords.has(header.toLowerCase())) ||
      (speaksOfSession && value.includes(session)),
    member: (field, text) => words.has(field) || (speaksOfToken && text.includes(callingToken)),
  }
}

/** A piece of a body: a member of an object whose value is no object and no list, or the text between two of them. */
interface Piece {
  readonly text: string
  /** Null for the text between members. */
  readonly name: string | null
}

const members = /"([\w-]+)":\s?(?:"[^"]*"|[\w.+-]+)/g

export function splitMembers(body: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { index, 0: text, 1: name = '' } of body.matchAll(members)) {
    pieces.push({ text: body.slice(end, index), name: null }, { text, name })
    end = index + text.length
  }
  return [...pieces, { text: body.slice(end), name: null }]
}
