import { isComparedFrom } from '../../model/mention.ts'

const quotes = '"\'`'
/** Each may be a look at all uses of a name: a script with more of them holds more than a guard. */
const mostMentions = 64
const looked = 200

/** A pattern of the language, up to the prefix in it. */
const inPattern = /(?:^|[=(,:;!&|?{}[+\s]|\breturn|=>)\/(?![/*])(?:[^/\n"'`\\]|\\.){0,60}$/
/** Text behind the prefix that continues it: the rest of a key, an escape, or a place for one. */
const goesOn = /^(?:[\w\-\\$%{<#[~@^|!&+=]|[^\w\s"'`][\w$%{<#])/
const after = /^\s*(?:[!=]==?|in\b)/
const label = /\bcase\s*$/

/**
 * The same script without the prefix where it is only mentioned: what is compared with it, a pattern of the language, and
 * a sentence about it are no pieces of a key. Offsets stay as they are.
 */
export function withoutMentions(script: string, prefix: string): string {
  const kept: string[] = []
  let from = 0
  let looks = 0
  for (let at = script.indexOf(prefix); at !== -1; at = script.indexOf(prefix, at + prefix.length)) {
    if (++looks > mostMentions) return script
    if (!isMention(script, at, prefix)) continue
    kept.push(script.slice(from, at), ' '.repeat(prefix.length))
    from = at + prefix.length
  }
  return from === 0 ? script : kept.join('') + script.slice(from)
}

function isMention(script: string, at: number, prefix: string): boolean {
  const end = at + prefix.length
  const [quote = '', next = ''] = [script[at - 1], script[end]]
  if (quotes.includes(quote) && next === quote)
    return (
      after.test(script.slice(end + 1, end + 9)) ||
      label.test(script.slice(Math.max(0, at - looked), at - 1)) ||
      isComparedFrom(script, at - 1, () => script)
    )
  // A line of settings that a text holds: the next line may hold the rest.
  if (script[at - 1] === '=' && /\s/.test(next)) return false
  if (inPattern.test(script.slice(Math.max(0, at - looked), at))) return true
  return next !== '' && !quotes.includes(next) && !goesOn.test(script.slice(end, end + 2))
}
