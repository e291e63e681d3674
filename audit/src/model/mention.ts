/** An address in a text, `[start, end)`, and what of its file tells whether a program calls it. */
export interface Mentioned {
  readonly text: string
  readonly start: number
  readonly end: number
  /** True where the text begins at the start of its file, or of a string of it. */
  readonly isWhole: boolean
  readonly location: string
  readonly format: string
}

/** Why an address is none that a program calls: in documentation or a comment, or only compared with others. */
export type Mention = 'in a text' | 'in a comparison'

/** @param whole gives the whole file, where the uses of a name have to be looked for */
export function mentionOf(address: Mentioned, whole: () => string): Mention | null {
  if (isCompared(address, whole)) return 'in a comparison'
  if (isDocument(address.location) || isInComment(address) || isShown(address) || isInSentence(address))
    return 'in a text'
  return null
}

/** Files that nothing runs. */
const document =
  /(?:^|[/!])(?:[^/!]*\.(?:md|markdown|rst|adoc|asciidoc)|readme|changelog|licen[cs]e|notice)$/i

function isDocument(location: string): boolean {
  return document.test(location)
}

const looked = 200
const comparing =
  /(?:\.(?:starts_?with|hasPrefix|ends_?with|includes|contains|equals|(?:last)?indexOf|has)\(\s*|[!=]==?\s*)$/i
const compared = /^(?:\s*[!=]==?|\s+in\b)/
/** Comparisons behind a name: the same, or a list or a pattern that is asked. */
const asked =
  /^\s*(?:[!=]==?|\.(?:includes|has|indexOf|test)\(|\.(?:some|every|find)\(\(?\w+\)?\s*=>\s*[\w.]+\.(?:startsWith|includes)\(\w+\)\))/
const named = /(?<!\bexport\s+(?:const|let|var)\s+)(?<![\w$.#])([A-Za-z_$][\w$]*)\s*=\s*$/
const list = /(?:new Set\(\s*)?\[\s*(?:(["'`])[^"'`]*\1\s*,\s*)*$/

/** A literal that others are compared with. */
function isCompared({ text, start, end }: Mentioned, whole: () => string): boolean {
  const quote = text[start - 1] ?? ''
  if (!/["'`]/.test(quote) || text[end] !== quote) return false
  const after = text.slice(end + 1, end + 9)
  const isLabel = /\bcase\s*$/.test(text.slice(Math.max(0, start - 1 - looked), start - 1))
  if (isLabel) return /^\s*:/.test(after)
  return compared.test(after) || isComparedFrom(text, start - 1, whole)
}

/** Says whether others are compared with the text at an index, or with its name wherever that is used. */
export function isComparedFrom(text: string, from: number, whole: () => string): boolean {
  const before = text.slice(Math.max(0, from - looked), from)
  if (comparing.test(before)) return true
  const [, name] = named.exec(before.replace(list, '')) ?? []
  return name !== undefined && areUsesComparisons(whole(), name)
}

/** Uses of a name that are looked at: a name that a bundler gave is used everywhere. */
const mostUses = 50

function areUsesComparisons(text: string, name: string): boolean {
  const use = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g')
  let definitions = 0
  let uses = 0
  for (const { index } of text.matchAll(use)) {
    const before = text.slice(Math.max(0, index - looked), index)
    const after = text.slice(index + name.length, index + name.length + looked)
    if (/^\s*=(?![=>])/.test(after)) definitions += 1
    else if (comparing.test(before) || asked.test(after)) uses += 1
    else return false
    if (uses > mostUses) return false
  }
  return definitions === 1 && uses > 0
}

/** A line, or lines up to this one, that begin as comments do. */
function isInComment({ text, start, isWhole, format }: Mentioned): boolean {
  const lineStart = text.lastIndexOf('\n', start) + 1
  if (lineStart === 0 && !isWhole) return false
  const line = text.slice(lineStart, start)
  const [, mark] = /^\s*(\/\/|\/\*|\*(?= )|#(?= )|<!--)/.exec(line) ?? []
  if (mark === undefined) return false
  if (mark === '//') return true
  if (mark === '#') return format !== 'javascript' && format !== 'html'
  if (mark === '<!--') return !line.includes('-->')
  return !line.includes('*/') && !/["'`]/.test(text[start - 1] ?? '')
}

/** Text of a page that shows how something is called. */
function isShown({ text, start, format }: Mentioned): boolean {
  if (format !== 'html') return false
  const open = text.lastIndexOf('<', start)
  return /^<(?:code|pre|kbd|samp|tt)\b[^>]*>(?:[^<]*\s)?$/i.test(text.slice(open, start))
}

const leastWords = 3
const word = /^[("'[]?(?:[a-z]{2,}|[A-Z][a-z]*|[A-Z]{3,})[,.;:)\]!?"']?$/
const command = /(?:^|\W)(?:curl|wget|xh|httpie|iwr|invoke-\w+|sh|bash|ssh|eval|exec)\s/i

/** Words on both sides, or on one, and no program that is run with them. */
function isInSentence({ text, start, end }: Mentioned): boolean {
  const [before = ''] = /[^"'`<>{}\n\0]*$/.exec(text.slice(Math.max(0, start - looked), start)) ?? []
  const [after = ''] = /^[^"'`<>{}\n\0]*/.exec(text.slice(end, end + looked)) ?? []
  if (command.test(before) || (before !== '' && !/[\s(]$/.test(before))) return false
  const words = [countOf(before.trim().split(/\s+/).reverse()), countOf(wordsBehind(after))] as const
  return words[0] + words[1] >= leastWords && (words[0] > 0 || before.trim() === '')
}

function wordsBehind(after: string): string[] {
  return /^[,.;:)]?\s/.test(after) ? after.slice(1).trim().split(/\s+/) : []
}

/** How many words there are up to the first that is none. */
function countOf(tokens: readonly string[]): number {
  const end = tokens.findIndex((token) => !word.test(token))
  return end === -1 ? tokens.length : end
}

const quotes = '"\'`'

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
