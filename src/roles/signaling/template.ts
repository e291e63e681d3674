import { splitEmbeddedJson } from './frame-leaves.ts'
import { escapeXml, splitXml } from './xml-leaves.ts'

/** Token and userId that a client states; null where it states none. */
export interface Credential {
  readonly jwt: string | null
  readonly userId: string | null
}

export const none: Credential = { jwt: null, userId: null }

/** Puts the credential in the place of `{jwt}` and `{userId}`; what it lacks is left empty. */
export function fillText(template: string, credential: Credential): string {
  return template.replace(/\{(jwt|userId)\}/g, (_, name: keyof Credential) => credential[name] ?? '')
}

/** Fills a template. The values are escaped for JSON or XML around them. */
export function fillMessage(template: string, { jwt, userId }: Credential): string {
  const escaped = escaperOf(template)
  return fillText(template, { jwt: escaped(jwt ?? ''), userId: escaped(userId ?? '') })
}

function escaperOf(template: string): (text: string) => string {
  if (splitEmbeddedJson(fillText(template, { jwt: '0', userId: '0' })) !== null)
    return (text) => JSON.stringify(text).slice(1, -1)
  return isXml(template) ? escapeXml : (text) => text
}

/** The values in a text, `Bearer` in any case; null where it is not of the template's form. */
export function readText(template: string, text: string): Credential | null {
  // The end is compared first: a pattern that ends with a placeholder takes time in proportion to the text.
  const from = Math.max(endOf('{jwt}', template), endOf('{userId}', template))
  const end = text.length - (template.length - from)
  const pattern = literally(template.slice(0, from))
    .replace('\\{jwt\\}', '(?<jwt>.*)')
    .replace('\\{userId\\}', '(?<userId>.*)')
  const match = end < 0 ? null : new RegExp(`^${pattern}$`, 'is').exec(text.slice(0, end))
  const isEnd = new RegExp(`^${literally(template.slice(from))}$`, 'is')
  if (match === null || !isEnd.test(text.slice(end))) return null
  const { jwt = null, userId = null } = match.groups ?? {}
  return { jwt, userId }
}

function endOf(placeholder: string, template: string): number {
  const at = template.indexOf(placeholder)
  return at === -1 ? 0 : at + placeholder.length
}

function literally(text: string): string {
  return text.replace(/[.*+?^$(){}|[\]\\/-]/g, '\\$&')
}

/** Reads the values of the placeholders in a message; null where it is not of the template's form. */
export function readMessage(template: string, text: string): Credential | null {
  const form = splitEmbeddedJson(template)
  if (form === null) return isXml(template) ? readXml(template, text) : readText(template, text)
  const received = splitEmbeddedJson(text)
  if (received === null || !isPrefix(form.prefix, received.prefix)) return null
  return readJson(form.json, received.json)
}

/** A number behind the prefix counts messages, as Socket.IO does. */
function isPrefix(form: string, received: string): boolean {
  return received.startsWith(form) && /^\d*$/.test(received.slice(form.length))
}

function isXml(template: string): boolean {
  return /^\s*</.test(template)
}

/** Attributes may come in any order, and others beside them. */
function readXml(template: string, text: string): Credential | null {
  const received = splitXml(text)
  let found = none
  for (const { path, value } of splitXml(template)) {
    const read = received
      .filter((leaf) => leaf.path === path)
      .map((leaf) => readText(String(value), String(leaf.value)))
      .find((credential) => credential !== null)
    if (read === undefined) return null
    found = mergeCredentials(found, read)
  }
  return found
}

/** Merges two credentials: the second gives the values that the first lacks. */
export function mergeCredentials(first: Credential, second: Credential): Credential {
  return { jwt: first.jwt ?? second.jwt, userId: first.userId ?? second.userId }
}

/** Writes the numbers by which a client counts its messages into the response to one of them. */
export function inReplyTo(template: string, message: string, reply: string): string {
  const [form, received, answer] = [template, message, reply].map(splitEmbeddedJson)
  if (!form || !received || !answer) return reply
  const json = withCounts(form.json, received.json, answer.json)
  return json === answer.json ? reply : answer.prefix + JSON.stringify(json)
}

function withCounts(form: unknown, received: unknown, reply: unknown): unknown {
  if (reply === form && countsOn(form, received)) return received
  if (!isObject(form) || !isObject(received) || !isObject(reply)) return reply
  const counted = Object.entries(reply).map(([name, part]): [string, unknown] => [
    name,
    withCounts(form[name], received[name], part),
  ])
  if (counted.every(([name, part]) => reply[name] === part)) return reply
  return Array.isArray(reply) ? counted.map(([, part]) => part) : Object.fromEntries(counted)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Many protocols number the messages of a client: a later one has a larger number than the template. */
function countsOn(form: unknown, received: unknown): boolean {
  return (
    isCount(form) && isCount(received) && typeof form === typeof received && Number(received) > Number(form)
  )
}

function isCount(value: unknown): boolean {
  return (typeof value === 'number' || typeof value === 'string') && /^\d{1,15}$/.test(String(value))
}

/** The received value must have all that the form has, and may have more. */
function readJson(form: unknown, received: unknown): Credential | null {
  if (countsOn(form, received)) return none
  if (typeof form === 'string') return typeof received === 'string' ? readText(form, received) : null
  if (typeof form !== 'object' || form === null) return form === received ? none : null
  if (typeof received !== 'object' || received === null) return null
  let found = none
  for (const [name, part] of Object.entries(form)) {
    const inner = readJson(part, Object.entries(received).find(([other]) => other === name)?.[1])
    if (inner === null) return null
    found = mergeCredentials(found, inner)
  }
  return found
}
