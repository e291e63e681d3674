/** Changes JSON text in place: whatever a change does not name keeps every character, numbers of any length included. */

const jsonString = /"[^"\\]*(?:\\.[^"\\]*)*"/gs
const structure = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs
const memberStart = /^\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*:\s*/s

/** The object with other values for these members; undefined removes one, a new one comes last. Null for no JSON object. */
export function changeMembers(text: string, changes: Readonly<Record<string, unknown>>): string | null {
  const object = splitObject(text)
  if (object === null) return null
  let { members } = object
  for (const [name, value] of Object.entries(changes)) {
    const isNamed = (one: string) => nameOf(one) === name
    if (value === undefined) members = members.filter((one) => !isNamed(one))
    else if (members.some(isNamed))
      members = members.map((one) => (isNamed(one) ? withValue(one, JSON.stringify(value)) : one))
    else members = [...members, `${JSON.stringify(name)}:${JSON.stringify(value)}`]
  }
  return object.before + members.join(',') + object.after
}

/** The text with another one inside every string that is a value, at any depth. */
export function replaceInStrings(text: string, from: string, to: string): string {
  return text.replace(jsonString, (quoted, offset: number) => {
    if (/^\s*:/.test(text.slice(offset + quoted.length))) return quoted
    const value: unknown = JSON.parse(quoted)
    if (typeof value !== 'string' || !value.includes(from)) return quoted
    return JSON.stringify(value.replaceAll(from, () => to))
  })
}

interface SplitObject {
  /** Up to the opening brace, with it. */
  readonly before: string
  readonly members: readonly string[]
  /** From the closing brace on. */
  readonly after: string
}

function splitObject(text: string): SplitObject | null {
  if (!isObject(text)) return null
  const start = text.indexOf('{') + 1
  const end = text.lastIndexOf('}')
  const inner = text.slice(start, end)
  const members: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of inner.matchAll(structure)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (token === ',' && depth === 0) {
      members.push(inner.slice(from, index))
      from = index + 1
    }
  }
  const last = inner.slice(from)
  if (last.trim() !== '') members.push(last)
  return { before: text.slice(0, start), members, after: text.slice(end) }
}

function isObject(text: string): boolean {
  try {
    return text.trimStart().startsWith('{') && typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

function nameOf(text: string): unknown {
  const quoted = memberStart.exec(text)?.[1]
  return quoted === undefined ? undefined : JSON.parse(quoted)
}

function withValue(text: string, value: string): string {
  const start = memberStart.exec(text)?.[0] ?? ''
  return start + value + text.slice(text.trimEnd().length)
}
