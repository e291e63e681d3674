import type { IncomingMessage } from 'node:http'
import type { Carriage, DeclaredUser } from './types.ts'

/** What was found where the policy looks: null where there is none, or where it is still to come. */
export interface Presented {
  readonly jwt: string | null
  readonly userId: string | null
}

const nothing: Presented = { jwt: null, userId: null }

/** What the upgrade request carries. */
export function fromUpgrade(request: IncomingMessage, carriage: Carriage, declared: DeclaredUser): Presented {
  const carried = carriedBy(request, carriage)
  const userId =
    declared.in === 'query'
      ? queryOf(request).get(declared.name)
      : declared.in === 'header'
        ? headerOf(request, declared.name)
        : declared.in === 'carriage'
          ? carried.userId
          : null
  return { jwt: carried.jwt, userId }
}

/** What a message carries; null where it is not of the template's form. */
export function fromMessage(template: string, text: string): Presented | null {
  const [form, received] = [parsed(template), parsed(text)]
  if (form === undefined) return fromText(template, text)
  return received === undefined ? null : fromJson(form, received)
}

/** The subprotocol that is chosen of those offered: never the one that holds the credential. */
export function chosenProtocol(offered: ReadonlySet<string>, carriage: Carriage): string | false {
  if (carriage.in !== 'subprotocol') return false
  return carriage.protocols.find((protocol) => !protocol.includes('{') && offered.has(protocol)) ?? false
}

function carriedBy(request: IncomingMessage, carriage: Carriage): Presented {
  if (carriage.in === 'header')
    return fromText(carriage.template, headerOf(request, carriage.name) ?? '') ?? nothing
  if (carriage.in === 'query') return { jwt: queryOf(request).get(carriage.name), userId: null }
  if (carriage.in === 'cookie') return { jwt: cookieOf(request, carriage.name), userId: null }
  if (carriage.in === 'message') return nothing
  const offered = (headerOf(request, 'sec-websocket-protocol') ?? '').split(',').map((text) => text.trim())
  const templates = carriage.protocols.filter((protocol) => protocol.includes('{'))
  return templates
    .flatMap((template) => offered.map((protocol) => fromText(template, protocol) ?? nothing))
    .reduce(merged, nothing)
}

function merged(first: Presented, second: Presented): Presented {
  return { jwt: first.jwt ?? second.jwt, userId: first.userId ?? second.userId }
}

function queryOf(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? '/', 'wss://localhost').searchParams
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name.toLowerCase()]
  return value === undefined ? null : [value].flat().join(', ')
}

function cookieOf(request: IncomingMessage, name: string): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
}

/** What stands in the place of the placeholders; schemes such as `Bearer` are read without regard to case. */
function fromText(template: string, text: string): Presented | null {
  const pattern = template
    .replace(/[.*+?^$()|[\]\\/-]/g, '\\$&')
    .replace('{jwt}', '(?<jwt>.*)')
    .replace('{userId}', '(?<userId>.*)')
  const match = new RegExp(`^${pattern}$`, 'is').exec(text)
  if (match === null) return null
  const { jwt = null, userId = null } = match.groups ?? {}
  return { jwt, userId }
}

/** The received value must hold all that the form holds, and may hold more. */
function fromJson(form: unknown, received: unknown): Presented | null {
  if (typeof form === 'string') return typeof received === 'string' ? fromText(form, received) : null
  if (typeof form !== 'object' || form === null) return form === received ? nothing : null
  if (typeof received !== 'object' || received === null) return null
  let found = nothing
  for (const [name, part] of Object.entries(form)) {
    const inner = fromJson(part, Object.entries(received).find(([other]) => other === name)?.[1])
    if (inner === null) return null
    found = merged(found, inner)
  }
  return found
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
