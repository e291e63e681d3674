import { isScalar, parseDocument as parseYaml, visit } from 'yaml'
import type { TwotokenError } from '../base/errors.ts'
import { parsePeerJson } from '../base/parse-peer-json.ts'
import { onOneLine } from '../base/printable.ts'

/** YAML takes two seconds for each megabyte, and more for each tag the more there are. */
const mostYaml = 1_048_576
const mostTags = 1000
const mostOpen = 1000

function isNestedDeeply(text: string): boolean {
  let open = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = bracket === '[' || bracket === '{' ? open + 1 : Math.max(0, open - 1)
    if (open > mostOpen) return true
  }
  return false
}

/**
 * Parses YAML or JSON that was written to be read slowly, or for ever, at little cost.
 * @param fail makes the error of a clause about the text
 */
export function parseBoundedYaml(text: string, fail: (what: string) => TwotokenError): unknown {
  if (text.length > mostYaml)
    try {
      return parsePeerJson(text)
    } catch {
      throw fail('is no JSON, and has more than the 1 MB that is read as YAML')
    }
  if (isNestedDeeply(text)) throw fail(`is nested deeper than ${mostOpen} brackets`)
  if ((text.match(/(?<!\S)!/g)?.length ?? 0) > mostTags) throw fail(`has more than ${mostTags} tags`)
  let document: unknown
  try {
    // The parser compares each key with all before it.
    const parsed = parseYaml(text, { logLevel: 'error', uniqueKeys: false, prettyErrors: true })
    const [error] = parsed.errors
    if (error !== undefined) throw error
    const twice = findKeyGivenTwice(parsed)
    if (twice !== null) throw new Error(`the key ${twice} is given twice`)
    document = parsed.toJS()
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n')
    throw fail(`cannot be parsed (${onOneLine(reason).slice(0, 200)})`)
  }
  if (containsItself(document)) throw fail('has an alias inside of what it stands for')
  return document
}

function findKeyGivenTwice(document: ReturnType<typeof parseYaml>): string | null {
  let twice: string | null = null
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<string>()
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : ''
        if (!isScalar(key) || name === '<<') continue
        if (keys.has(name)) twice = JSON.stringify(name.slice(0, 80))
        keys.add(name)
      }
      return twice === null ? undefined : visit.BREAK
    },
  })
  return twice
}

/** An alias of YAML may make a value a part of itself. */
function containsItself(document: unknown): boolean {
  const within = new Set<unknown>()
  const done = new Set<unknown>()
  const left: { readonly value: unknown; readonly leaves: boolean }[] = [{ value: document, leaves: false }]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const { value, leaves } = one
    if (leaves) {
      within.delete(value)
      done.add(value)
    } else if (within.has(value)) return true
    else if (typeof value === 'object' && value !== null && !done.has(value)) {
      within.add(value)
      left.push({ value, leaves: true })
      for (const inner of Object.values(value)) left.push({ value: inner, leaves: false })
    }
  }
  return false
}
