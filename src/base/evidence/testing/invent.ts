import { unescapeAll } from '../../find-secret/escapes.ts'
import { createRandom } from '../../seeded-random.ts'
import type { Exchange } from '../exchange.ts'
import { createHider } from '../hide.ts'
import { hideExchange, sentNames } from '../hide-exchange.ts'
import { createSecrets } from '../secrets.ts'
import { type Atom, type Random, textOf, transformations } from './encodings.ts'

/** Eight characters of a secret are too many. */
const tooMany = 8
const longestEncoded = 3000
/** A sign that no encoding has. */
const hidden = '\u{10fffd}'
const random62 = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

const draw = (random: Random, from: string, length: number) =>
  Array.from({ length }, () => from[Math.floor(random() * from.length)]).join('')

const secretKinds: readonly ((random: Random) => string)[] = [
  (random) => `ac_live_${draw(random, random62, 40)}`,
  (random) => draw(random, `${random62}-_`, 32),
  (random) => draw(random, 'abcdef0123456789', 32),
  (random) => draw(random, '0123456789', 24),
  (random) => draw(random, 'abcdefghijklmnopqrstuvwxyz', 20),
  (random) =>
    ['4', '4', '4', '12'].map((length) => draw(random, 'abcdef0123456789', Number(length))).join('-'),
]

/** Where a peer can write, besides what is around it there. */
const places: readonly ((text: string) => Exchange)[] = [
  (text) => answered({ body: `{"error":"invalid_token","message":"${text}"}` }),
  (text) => answered({ body: `{"${text}":{"status":401}}` }),
  (text) =>
    answered({
      body: `<html><body><h1>401 Unauthorized</h1><p title="${text}">The token is not valid</p></body></html>`,
    }),
  (text) => answered({ body: `<p>${text}</p>` }),
  (text) => answered({ body: `access_token=${text}&token_type=bearer` }),
  (text) => answered({ body: `Error: ${text}\n    at verify (/app/src/auth.js:12:34)` }),
  (text) => answered({ body: text }),
  (text) => answered({ headers: [['x-session-token', `${text} rest`]] }),
  (text) => answered({ headers: [['set-cookie', `a=b; refresh_token=${text}; Path=/`]] }),
  (text) => answered({ headers: [['location', `https://app.example.com/callback?code=${text}&state=ok`]] }),
  (text) => answered({ headers: [[text, 'a name']] }),
  (text) =>
    answered({ headers: [...text.matchAll(/.{1,7}/gs)].map(([piece]) => ['x-piece', piece] as const) }),
  (text) => answered({ statusText: text }),
  (text) => ({ ...answered({}), failure: `presented a certificate for ${text} instead of its own` }),
  (text) => spoken([['frame', `{"type":"error","reason":"${text}"}`]]),
  (text) => spoken([['close', `4401 ${text}`]]),
  (text) =>
    spoken([...text.matchAll(/.{1,6}/gs)].map(([piece]) => ['frame', `{"piece":"${piece}"}`] as const)),
  (text) => asked(text),
]

function answered(
  response: Partial<NonNullable<(Exchange & { kind: 'http' })['response']>>,
): Exchange & { kind: 'http' } {
  return {
    ...base,
    kind: 'http',
    from: 'suite',
    to: 'backend',
    request: { method: 'POST', url: 'https://app.example.com/token', headers: [], body: '' },
    response: { status: 401, statusText: '', headers: [], body: '', ...response },
  }
}

function asked(text: string): Exchange {
  const request = { method: 'POST', url: `/token/${text}`, headers: [['x-id', text]] as const, body: text }
  return { ...base, kind: 'http', from: 'backend', to: 'mint-double', request }
}

function spoken(said: readonly (readonly ['frame' | 'close', string])[]): Exchange {
  return {
    ...base,
    kind: 'websocket',
    from: 'suite',
    to: 'signaling',
    request: { url: 'wss://signal.example.com/ws', headers: [] },
    events: said.map(([type, text], at) => ({ at, type, text })),
    verdict: 'was closed',
  }
}

const base = { id: 'x1', at: 0, durationMs: 1 } as const

/**
 * Encodes a secret by a chain that the seed invents, has a peer write it somewhere, and hides that. `leak` is a shown text that
 * tells eight characters of the secret; null where none does.
 */
export function invent(seed: number) {
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const secret = pick(secretKinds)(random)
  // Every key begins with it.
  const prefix = secret.startsWith('ac_live_') ? 'ac_live_'.length : 0
  let atoms: readonly Atom[] = [...secret].map((text, index) => ({
    text,
    source: index < prefix ? null : index,
  }))
  const steps: string[] = []
  for (let count = 1 + Math.floor(random() * 6); count > 0; count -= 1) {
    const { name, apply } = pick(transformations)
    const next = apply(atoms, random)
    if (textOf(next).length > longestEncoded) break
    atoms = next
    steps.push(name)
  }
  const secrets = createSecrets(`${seed}`)
  // A text that is written backwards may be a credential of the service, unknown to the suite.
  if (random() < 0.5) secrets.register('session', secret)
  const exchange = pick(places)(textOf(atoms))
  const names = sentNames([exchange], secrets)
  const hider = createHider({ secrets, fingerprintKey: `${seed}`, names })
  const shown = textsOf(hideExchange(exchange, hider)).join('\n')
  return { seed, how: steps.join(', '), encoded: textOf(atoms), shown, leak: findLeak(atoms, shown) }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsOf)
}

/** A shown part of the encoded text that tells eight characters of the secret: whole, or without the signs in it. */
function findLeak(atoms: readonly Atom[], shown: string): string | null {
  const seen = shown.replaceAll(/‹[^›]*›/g, hidden)
  const views = [signsOf, (text: string) => signsOf(unescapeAll(text))]
  const haystacks = views.map((view) => view(seen))
  const letters = lettersOf(seen)
  for (const part of tellingParts(atoms)) {
    const text = textOf(part)
    if (views.some((view, index) => tells(view(text)) && haystacks[index]?.includes(view(text)))) return text
    const told = new Set(part.filter((atom) => lettersOf(atom.text) !== '').map(({ source }) => source))
    told.delete(null)
    if (told.size >= tooMany && tells(lettersOf(text)) && letters.includes(lettersOf(text))) return text
  }
  return null
}

/** A repetition, or a letter or two of a longer part, tells nothing. */
function tells(needle: string): boolean {
  return needle.length >= tooMany - 2 && new Set(signsOf(unescapeAll(needle))).size > 1
}

/** The shortest parts that tell so much. */
function* tellingParts(atoms: readonly Atom[]): Iterable<readonly Atom[]> {
  for (let start = 0; start < atoms.length; start += 1) {
    const sources = new Set<number>()
    for (let end = start; end < atoms.length; end += 1) {
      const source = atoms[end]?.source ?? null
      if (source !== null) sources.add(source)
      if (sources.size < tooMany) continue
      yield atoms.slice(start, end + 1)
      break
    }
  }
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{M}\p{So}\p{Co}\p{Cf}]/gu, '')
}

function signsOf(text: string): string {
  return text.replaceAll(/[\s]/g, '')
}
