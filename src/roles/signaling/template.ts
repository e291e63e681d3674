/** What a client states of itself; null where it states none. */
export interface Credential {
  readonly jwt: string | null
  readonly userId: string | null
}

const none: Credential = { jwt: null, userId: null }

/** Puts the credential in the place of `{jwt}` and `{userId}`; what it lacks is left empty. */
export function fillText(template: string, credential: Credential): string {
  return template.replace(/\{(jwt|userId)\}/g, (_, name: keyof Credential) => credential[name] ?? '')
}

/** Where the template is JSON, what is put in is escaped for the string around it. */
export function fillMessage(template: string, { jwt, userId }: Credential): string {
  if (parseJson(fillText(template, { jwt: '0', userId: '0' })) === undefined)
    return fillText(template, { jwt, userId })
  const escaped = (text: string | null) => JSON.stringify(text ?? '').slice(1, -1)
  return fillText(template, { jwt: escaped(jwt), userId: escaped(userId) })
}

/**
 * What a text has in the place of the placeholders; null where it is not of the template's form. Schemes such as
 * `Bearer` are read without regard to case.
 */
export function readText(template: string, text: string): Credential | null {
  const pattern = template
    .replace(/[.*+?^$()|[\]\\/-]/g, '\\$&')
    .replace('{jwt}', '(?<jwt>.*)')
    .replace('{userId}', '(?<userId>.*)')
  const match = new RegExp(`^${pattern}$`, 'is').exec(text)
  if (match === null) return null
  const { jwt = null, userId = null } = match.groups ?? {}
  return { jwt, userId }
}

/** What a message has in the place of the placeholders; null where it is not of the template's form. */
export function readMessage(template: string, text: string): Credential | null {
  const form = parseJson(template)
  if (form === undefined) return readText(template, text)
  const received = parseJson(text)
  return received === undefined ? null : readJson(form, received)
}

/** What the first has, and the second in the place of what it lacks. */
export function mergeCredentials(first: Credential, second: Credential): Credential {
  return { jwt: first.jwt ?? second.jwt, userId: first.userId ?? second.userId }
}

/** The received value must have all that the form has, and may have more. */
function readJson(form: unknown, received: unknown): Credential | null {
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

/** `undefined` where the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
