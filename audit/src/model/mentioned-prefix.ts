import { isComparedFrom } from './mention.ts'

const quotes = '"\'`'
const looked = 200

/** A pattern of the language, up to the prefix in it. */
const inPattern = /(?:^|[=(,:;!&|?{}[+\s]|\breturn|=>)\/(?![/*])(?:[^/\n"'`\\]|\\.){0,60}$/
/** Text behind the prefix that continues it: the rest of a key, an escape, or a place for one. */
const goesOn = /^(?:[\w\-\\$%{<#[~@^|!&+=]|[^\w\s"'`][\w$%{<#])/
const after = /^\s*(?:[!=]==?|in\b)/
const label = /\bcase\s*$/

/** Says whether a text only mentions the prefix at a place: compares with it, has it in a pattern or in a sentence. */
export function isMention(script: string, at: number, prefix: string): boolean {
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
