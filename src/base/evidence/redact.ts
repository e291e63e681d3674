import { createHmac, randomBytes } from 'node:crypto'
import { isCredentialName, isPlaceholder } from './credential-fields.ts'
import type { Encoding, Hit } from './decoded-search.ts'
import { disarmLabels } from './mask/labels.ts'
import { type SecretKind, writeSecretLabel } from './secret-label.ts'
import { createSecretSearch, type Finder, type Secret, shortestSecret } from './secret-search.ts'

/**
 * The one place that hides secrets. Text that it has passed shows no more of a secret than its kind, its length and
 * a fingerprint that is keyed per run, so that the same token can be recognised in two places and nowhere else.
 */
export interface Redactor {
  /** Makes a secret of the configuration known, or one of the suite's own; returns it. Under six characters, it hides nothing. */
  register(kind: SecretKind, secret: string): string
  /**
   * Makes a secret known that a peer chose; returns it. It is looked for only if it is random: a peer that issues the
   * token "pass" must not blot out every "pass".
   */
  learn(kind: SecretKind, secret: string): string
  /** Evidence without the secrets in it. */
  text(text: string): string
  /** A sentence of the suite's own: as `received`, but a secret that is a word is hidden only in quotes. */
  sentence(text: string): string
  /** A text of the suite's own that quotes no peer, or that has a syntax: a secret that is a word stays, here it is a word. */
  printed(text: string): string
  /** A file as a whole, for its last scan: as `printed`, without the secrets that a peer chose. */
  file(text: string): string
  /**
   * A text that a peer sent: also without the values of fields that hold credentials. At most `characters` of it are read;
   * a secret that goes on behind them is hidden whole. The work is bounded by them, too.
   */
  received(text: string, characters?: number): string
  /** The value of a header or field: hidden where its name says that it holds a credential. */
  field(name: string, value: string): string
  /** Returns the kind under which a text was registered; null where it was not. */
  kindOf(text: string): SecretKind | null
  /** Every secret of a kind that was registered, for comparison: never to be shown. */
  known(kind: SecretKind): readonly string[]
  /** The name under which a secret is shown. */
  label(secret: string): string
  /** Every secret that was registered since the last call, for the last scan in another process. */
  drain(): Registered[]
}

export interface Registered {
  readonly kind: SecretKind
  readonly secret: string
  /** Chosen by a peer. */
  readonly issued?: true
}

/** A redactor that knows these secrets, and shows them as others with the same key do. */
export function redactorOf(secrets: readonly Registered[], fingerprintKey?: string): Redactor {
  const redactor = createRedactor(fingerprintKey)
  registerAll(secrets, redactor)
  return redactor
}

function registerAll(secrets: readonly Registered[], redactor: Redactor): void {
  for (const { kind, secret, issued } of secrets)
    if (issued === true) redactor.learn(kind, secret)
    else redactor.register(kind, secret)
}

/** Credentials of the service's own that are hidden wherever they come again. */
const mostLearned = 200
/** The longest secret that is hidden whole where it begins before the end of what is read. */
const longest = 16_384

/** A key for the fingerprints of one run, in hexadecimal. */
export function createFingerprintKey(): string {
  return randomBytes(32).toString('hex')
}

/** @param fingerprintKey where none is given, one is made for the first secret that is shown: most audits show none */
export function createRedactor(fingerprintKey?: string): Redactor {
  let key = fingerprintKey
  const kinds = new Map<string, SecretKind>()
  const byKind = new Map<SecretKind, string[]>()
  const secrets = createSecretSearch(kinds)
  let learned = 0
  let pending: Registered[] = []

  const show = ({ kind, secret }: Secret, isEncoded = false): string => {
    key ??= createFingerprintKey()
    const fingerprint = createHmac('sha256', key).update(secret).digest('hex').slice(0, 8)
    return writeSecretLabel({ kind, fingerprint }, secret.length, { isEncoded })
  }

  /** Remembers a value that a peer calls a credential, where no one else has named it. */
  const remember = ({ kind, secret }: Secret) => {
    if (kind !== 'secret' || learned === mostLearned || !isRandomEnough(secret)) return
    if (secrets.has(secret)) return
    learned += 1
    secrets.addForm(secret, { kind, secret }, 'issued')
  }

  const hide = (value: string): string => {
    if (isPlaceholder(value)) return value
    const secret = secrets.identify(value)
    remember(secret)
    return show(secret)
  }

  const replace = (text: string, hits: readonly Hit<Secret>[], until = text.length): string => {
    let clean = ''
    let from = 0
    for (const { start, end, what, encoding } of joinOverlapping(hits)) {
      if (start >= until) break
      clean += text.slice(from, start) + show(what, isDecoded(encoding))
      from = end
    }
    return from >= until ? clean : clean + text.slice(from, until)
  }

  const replaceAll = (finder: Finder) => (text: string) => replace(text, secrets.search(text, finder))

  /** Notes the kind of a secret, under which it is shown. */
  const name = (kind: SecretKind, secret: string): boolean => {
    if (secret.length < shortestSecret || kinds.has(secret)) return false
    kinds.set(secret, kind)
    const alike = byKind.get(kind) ?? []
    alike.push(secret)
    byKind.set(kind, alike)
    return true
  }

  const redactor: Redactor = {
    register(kind, secret) {
      if (!name(kind, secret)) return secret
      if (redactor !== outgoing) outgoing.register(kind, secret)
      pending.push({ kind, secret })
      secrets.addForms({ kind, secret }, isWord(secret) ? 'words' : 'distinct')
      return secret
    },
    learn(kind, secret) {
      if (!name(kind, secret)) return secret
      if (redactor !== outgoing) outgoing.learn(kind, secret)
      pending.push({ kind, secret, issued: true })
      if (isRandomEnough(secret)) secrets.addForms({ kind, secret }, 'issued')
      return secret
    },
    text: replaceAll('text'),
    sentence: replaceAll('sentence'),
    printed: replaceAll('printed'),
    file: replaceAll('file'),
    received(text, characters = text.length) {
      const cut = text.slice(0, characters + longest)
      // Printed text has labels of the suite; recorded text has none yet.
      const read = redactor === outgoing ? cut : disarmLabels(cut)
      const hits = secrets.search(read, 'received')
      for (const { what } of hits) remember(what)
      return replace(read, hits, Math.min(characters, read.length))
    },
    field(name, value) {
      if (!isCredentialName(name)) return redactor.received(value)
      if (/cookie/i.test(name)) return hideCookies(name, value, hide)
      const { scheme = '', credential = value } =
        /^(?<scheme>[A-Za-z][\w-]{0,39} +)(?<credential>.+)$/s.exec(value)?.groups ?? {}
      return scheme + hide(credential)
    },
    kindOf: (text) => kinds.get(text) ?? null,
    known: (kind) => byKind.get(kind) ?? [],
    label: (secret) => show({ kind: kinds.get(secret) ?? 'secret', secret }),
    drain() {
      const drained = pending
      pending = []
      return drained
    },
  }
  return redactor
}

/**
 * Redacts everything that this process prints. It receives every secret that any other redactor of the
 * process receives.
 */
export const outgoing = createRedactor()

function isDecoded(encoding: Encoding): boolean {
  return encoding === 'base64' || encoding === 'hexadecimal' || encoding === 'character codes'
}

/**
 * Joins hits that overlap into one over all their places. The longest gives its name; of two as long, the
 * better named one does.
 */
function joinOverlapping(hits: readonly Hit<Secret>[]): Hit<Secret>[] {
  const joined: Hit<Secret>[] = []
  for (const hit of hits.toSorted((left, right) => left.start - right.start)) {
    const last = joined.at(-1)
    if (last === undefined || hit.start >= last.end) joined.push(hit)
    else {
      const named = rank(hit) > rank(last) ? hit : last
      joined[joined.length - 1] = { ...named, start: last.start, end: Math.max(last.end, hit.end) }
    }
  }
  return joined
}

function rank({ start, end, what, encoding }: Hit<Secret>): number {
  const isWhole = what.secret.length === end - start
  return (
    (end - start) * 8 + (isWhole ? 4 : 0) + (what.kind === 'secret' ? 0 : 2) + (isDecoded(encoding) ? 0 : 1)
  )
}

/** `Cookie` has pairs of names and values; of a `Set-Cookie` only the first is one, and the rest are attributes. */
function hideCookies(name: string, value: string, hide: (value: string) => string): string {
  const onlyFirst = /set-cookie/i.test(name)
  return value
    .split(';')
    .map((pair, index) => {
      const at = pair.indexOf('=')
      if (onlyFirst && index > 0) return pair
      return at < 0 ? hide(pair) : pair.slice(0, at + 1) + hide(pair.slice(at + 1))
    })
    .join(';')
}

const fewestCharacters = 16
const fewestLetters = 8
/** Letters without a digit are a name of some program more often than a credential. */
const fewestWithoutDigits = 24

/**
 * Says whether a text that a peer chose is random enough to be a credential. Such a text appears nowhere else
 * by chance. Words, names of fields, ids and repetitions are not random enough.
 */
function isRandomEnough(text: string): boolean {
  if (text.length < fewestCharacters || /\s/.test(text)) return false
  if (new Set(text).size < fewestLetters) return false
  if (/\d/.test(text)) return /[A-Za-z]/.test(text) || text.length >= fewestWithoutDigits
  return text.length >= fewestWithoutDigits && !/[^A-Za-z]/.test(text)
}

/** One word or two, the id of a requirement, or a number: sentences of the suite and the structure of a result have such. */
const word = /^(?:[A-Za-z]{1,16}(?:[-_. ][A-Za-z]{1,16})?|[A-Za-z]{1,16}-\d{1,4}|\d{1,8})$/

/** Says whether the suite's own texts may contain a secret by chance. */
function isWord(secret: string): boolean {
  return word.test(secret)
}
