import { isMention } from '../model/mention.ts'
import { pathEnd } from '../model/mint-call.ts'
import { base64At } from '../search/encodings.ts'

/** Says whether a script may put a key, a token or the address of the mint together, so that it is worth being parsed. */
export interface Gate {
  /** The place of a piece of the prefix that no key was read from; -1 without one. */
  pieceIn(script: string): number
  /** Says whether a script has anything else that its constants may complete. */
  holdsMore(script: string): boolean
}

const quote = '\\\\{0,7}["\'`]'
const end = `(?:${quote}|\\$\\{)`
/** Characters around the beginning of a prefix, and around its first word, in which the rest is looked for. */
const [near, beside] = [2048, 128]
/** Characters of a prefix that are no other word. */
const surely = 5
/** Each look may go through the whole script. */
const mostMentions = 64
/** A header of a token in quotes, without the rest of one. */
const header = /["'`]eyJ(?:hbGci|0eXAi|raWQi)[\w-]*["'`]/

export function createGate(prefix: string, leastSuffix: number, mintHost?: string): Gate {
  const [first = prefix, second = prefix] = prefix.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const heads = Array.from(prefix, (_, at) => prefix.slice(0, at)).reverse()
  const anyOf = (some: readonly string[]) => some.map(literally).join('|')
  const long = new RegExp(
    `(?<![A-Za-z0-9])(?:${anyOf(heads.filter(({ length }) => length >= surely))})${end}`,
    'g',
  )
  const short = new RegExp(
    `(?<![A-Za-z0-9_])(${anyOf(heads.filter(({ length }) => length < surely && length > first.length))})${end}`,
    'g',
  )
  const word = `${quote}[_-]?${literally(second)}[_-]?${quote}`
  const firstWord = new RegExp(`${quote}${literally(first)}[_-]?${quote}`, 'g')
  const secondWord = new RegExp(word)
  const cut = new RegExp(`${literally(prefix)}[\\w-]{1,${Math.max(1, leastSuffix - 1)}}${end}`)
  const codes = [10, 16].map((base) =>
    [...prefix].map((char) => `(?:0x)?${char.charCodeAt(0).toString(base)}`).join(',\\s*'),
  )
  const listed = new RegExp(codes.map((list) => `(?<!\\d)${list}`).join('|'), 'i')
  const marks = [
    [...prefix].reverse().join(''),
    Buffer.from(prefix).toString('hex'),
    ...[0, 1, 2].map((shift) => base64At(prefix, shift).text),
    pathEnd,
    ...(mintHost === undefined ? [] : [`://${mintHost}`]),
  ]
  return {
    pieceIn(script) {
      let mentions = 0
      for (let at = script.indexOf(prefix); at !== -1; at = script.indexOf(prefix, at + 1)) {
        if (/[\w-]/.test(script[at + prefix.length] ?? '')) continue
        if (++mentions > mostMentions || !isMention(script, at, prefix)) return at
      }
      const [head] = script.matchAll(long)
      if (head !== undefined) return head.index
      for (const { 1: head = '', index } of script.matchAll(short)) {
        const rest = literally(prefix.slice(head.length, head.length + surely))
        const around = script.slice(Math.max(0, index - near), index + near)
        if (new RegExp(`(?:${quote}|\\})${rest}|${word}`).test(around)) return index
      }
      for (const { index } of script.matchAll(firstWord))
        if (secondWord.test(script.slice(Math.max(0, index - beside), index + beside))) return index + 1
      return -1
    },
    holdsMore: (script) =>
      marks.some((mark) => script.includes(mark)) ||
      header.test(script) ||
      listed.test(script) ||
      cut.test(script),
  }
}

function literally(text: string): string {
  return text.replace(/[^\w]/g, '\\$&')
}
