import { createHmac, randomBytes } from 'node:crypto'

/** What a secret is, for the reader of a report. */
export type SecretKind = 'api-key' | 'session' | 'calling-jwt' | 'forged-jwt' | 'secret'

/**
 * The one place that hides secrets. Text that it has passed shows no more of a secret than its kind, its length and
 * a fingerprint that is keyed per run, so that the same token can be recognised in two places and nowhere else.
 */
export interface Redactor {
  /** Makes a secret known as soon as it appears; returns it. Strings under six characters hide nothing. */
  register(kind: SecretKind, secret: string): string
  text(text: string): string
  /** The name under which a secret is shown. */
  label(secret: string): string
  /** Every secret that was registered since the last call, for the last scan in another process. */
  drain(): Registered[]
}

export interface Registered {
  readonly kind: SecretKind
  readonly secret: string
}

/** A redactor that knows these secrets, and shows them as others with the same key do. */
export function redactorOf(secrets: readonly Registered[], fingerprintKey?: string): Redactor {
  const redactor = createRedactor(fingerprintKey)
  for (const { kind, secret } of secrets) redactor.register(kind, secret)
  return redactor
}

/** A server key, whether or not it was registered: its prefix and enough of a suffix to be one. */
const keyPattern = /ac_live_[A-Za-z0-9_-]{8,}/gi
/**
 * A compact JWS or JWE: base64url of `{"`, `{ ` or `{` and a line end, then at least one more part. The second of five is
 * empty where the key of a JWE is agreed on directly.
 */
const jwtPattern =
  /e[wy][A-Za-z0-9_-]{6,}\.(?:[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}|\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)/g
/** Begins where a run begins, which spares the search every other place. */
const encodedRun = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g
const percentEncoded = /%[0-9A-Fa-f]{2}/
const percentRun = /(?:%[0-9A-Fa-f]{2}|[A-Za-z0-9_.~-]){8,}/g
const shortest = 6
const remembered = 10_000
const label = /‹([a-z-]+, \d+ characters, #[0-9a-f]{8})›/

/** A key for the fingerprints of one run, in hexadecimal. */
export function createFingerprintKey(): string {
  return randomBytes(32).toString('hex')
}

export function createRedactor(fingerprintKey = createFingerprintKey()): Redactor {
  const kinds = new Map<string, SecretKind>()
  /** By the form in which a text may hold it. */
  const opaque = new Map<string, Registered>()
  let pending: Registered[] = []
  /** Runs of letters that hide no secret that is known so far. */
  const harmless = new Set<string>()

  const show = (kind: SecretKind | 'jwt', secret: string): string => {
    const fingerprint = createHmac('sha256', fingerprintKey).update(secret).digest('hex').slice(0, 8)
    return `‹${kind}, ${secret.length} characters, #${fingerprint}›`
  }

  const plain = (text: string): string => {
    let clean = text
    for (const [form, { kind, secret }] of opaque)
      if (clean.includes(form)) clean = clean.replaceAll(form, () => show(kind, secret))
    return withoutJwts(
      clean.replace(keyPattern, (key) => show('api-key', key)),
      (jwt) => show(kinds.get(jwt) ?? 'jwt', jwt),
    )
  }

  /** What replaces a run of letters that hides a secret: the secret's own label, so that it is recognised. */
  const unmasked = (run: string, meanings: readonly string[]): string => {
    for (const meaning of meanings) {
      const clean = plain(meaning)
      if (clean === meaning) continue
      const [, shown = `secret, ${run.length} characters`] = label.exec(clean) ?? []
      return `‹encoded ${shown}›`
    }
    return run
  }

  const encoded = (text: string): string => {
    const clean = text.replace(encodedRun, (run) => {
      // Addresses and header names come again and again.
      const known = harmless.has(run)
      const shown = known ? run : unmasked(run, decodings(run))
      if (!known && shown === run && harmless.size < remembered) harmless.add(run)
      return shown
    })
    if (!percentEncoded.test(clean)) return clean
    return clean.replace(percentRun, (run) =>
      run.includes('%') ? unmasked(run, [percentDecoded(run)]) : run,
    )
  }

  return {
    register(kind, secret) {
      if (secret.length < shortest || kinds.has(secret)) return secret
      kinds.set(secret, kind)
      harmless.clear()
      pending.push({ kind, secret })
      // What the patterns find whole needs no search of its own.
      if (withoutJwts(secret.replace(keyPattern, ''), () => '') === '') return secret
      opaque.set(secret, { kind, secret })
      // Names of headers and hosts lose their capitals on the way.
      opaque.set(secret.toLowerCase(), { kind, secret })
      return secret
    },
    text: (text) => encoded(plain(text)),
    label: (secret) => show(kinds.get(secret) ?? 'secret', secret),
    drain() {
      const drained = pending
      pending = []
      return drained
    },
  }
}

/** Replaces every token. A host name may look like one; only a header that begins a JSON object makes it one. */
function withoutJwts(text: string, show: (jwt: string) => string): string {
  const pattern = new RegExp(jwtPattern)
  let clean = ''
  let from = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [jwt] = match
    if (!/^\{\s*"/.test(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString('latin1'))) {
      pattern.lastIndex = match.index + 1
      continue
    }
    clean += text.slice(from, match.index) + show(jwt)
    from = pattern.lastIndex
  }
  return clean + text.slice(from)
}

/** What a run of letters may encode: base64 at each alignment, and hexadecimal. */
function decodings(run: string): string[] {
  const texts = [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString('latin1'))
  const hex = /^[0-9a-fA-F]+/.exec(run)?.[0] ?? ''
  if (hex.length >= 24)
    for (const skip of [0, 1]) texts.push(Buffer.from(hex.slice(skip), 'hex').toString('latin1'))
  return texts
}

function percentDecoded(run: string): string {
  return run.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
