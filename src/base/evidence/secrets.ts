import { createHmac, randomBytes } from 'node:crypto'
import { hideCredentials, hideHeader } from './credential-fields.ts'
import {
  changeQuotes,
  disarmLabels,
  outsideLabels,
  type SecretKind,
  type ShownKind,
  writeSecretLabel,
} from './secret-label.ts'

/**
 * The secrets that a run knows. Each becomes a label wherever a text has it: in plain, percent-encoded, escaped for JSON, in
 * base64 or hexadecimal.
 * A label gives kind, length, and a fingerprint that is keyed per run. What is encoded otherwise is hidden by the mask.
 */
export type Secrets = ReturnType<typeof createSecrets>

export interface Registered {
  readonly kind: SecretKind
  readonly secret: string
  /** Chosen by a peer. */
  readonly issued?: true
}

interface Form {
  readonly form: string
  readonly kind: SecretKind
  readonly secret: string
}

/** Fewer characters are a secret only where the configuration says so, and nothing else is around them. */
const shortest = 6
const tokenShapes = /ac_live_[A-Za-z0-9_-]{8,}|(?<![\w-])ey[\w-]{6,}(?:\.[\w-]*){1,4}/gi
/** One word or two, the id of a requirement, or a number: sentences of the suite have such. */
const word = /^(?:[A-Za-z]{1,16}(?:[-_. ][A-Za-z]{1,16})?|[A-Za-z]{1,16}-\d{1,4}|\d{1,8})$/

export function createFingerprintKey(): string {
  return randomBytes(32).toString('hex')
}

/** @param fingerprintKey where none is given, one is made for the first secret that is shown: most audits show none */
export function createSecrets(fingerprintKey?: string, registered: readonly Registered[] = []) {
  let key = fingerprintKey
  const kinds = new Map<string, SecretKind>()
  const [distinct, words] = [createForms(), createForms()]
  /** Secrets that are shown only where they are a whole run of letters and digits. */
  const runs = new Set<string>()
  const pending: Registered[] = []

  const show = (kind: ShownKind, secret: string): string => {
    key ??= createFingerprintKey()
    const fingerprint = createHmac('sha256', key).update(secret).digest('hex').slice(0, 8)
    return writeSecretLabel({ kind, fingerprint }, secret.length)
  }
  const hide = (value: string) => show(kinds.get(value) ?? 'secret', value)

  const labelKnown = (forms: ReturnType<typeof createForms>) => (part: string) =>
    forms.replace(part, ({ kind, secret }) => show(kind, secret))
  const labelShape = (found: string): string => {
    if (!/^ey/i.test(found)) return show('api-key', found)
    const token = found.replace(/\.+$/, '')
    const header = Buffer.from(token.slice(0, 8), 'base64').toString()
    return token.includes('.') && /^\{\s*"/.test(header)
      ? show('jwt', token) + found.slice(token.length)
      : found
  }

  const printed = (text: string): string =>
    outsideLabels(outsideLabels(text, labelKnown(distinct)), (part) => part.replace(tokenShapes, labelShape))
  const labelQuoted = (text: string): string => {
    const known = outsideLabels(printed(text), labelKnown(words))
    const whole = outsideLabels(known, (part) =>
      runs.size === 0 ? part : part.replace(/[A-Za-z0-9]+/g, (run) => (runs.has(run) ? hide(run) : run)),
    )
    return hideCredentials(whole, hide)
  }

  const add = (registered: Registered): string => {
    const { kind, secret, issued } = registered
    if (secret.length < (kind === 'secret' ? 2 : shortest) || kinds.has(secret)) return secret
    kinds.set(secret, kind)
    pending.push(registered)
    if (secrets !== processSecrets) processSecrets.add(registered)
    if (issued === true) {
      if (isRandom(secret)) distinct.add(kind, secret)
    } else if (secret.length >= shortest && !word.test(secret)) distinct.add(kind, secret)
    else if (/^[A-Za-z0-9]+$/.test(secret)) runs.add(secret)
    else if (secret.length >= shortest) words.add(kind, secret)
    return secret
  }

  const labelPeers = (text: string) => labelQuoted(disarmLabels(text))
  const secrets = {
    /** Makes a secret known as another process knows it; returns its text. */
    add,
    /** Makes a secret of the configuration known, or one of the suite's own; returns it. */
    register: (kind: SecretKind, secret: string) => add({ kind, secret }),
    /** A secret that a peer chose: looked for only if it is random, since "pass" must not blot out every "pass". Returns it. */
    learn: (kind: SecretKind, secret: string) => add({ kind, secret, issued: true }),
    kindOf: (text: string) => kinds.get(text) ?? null,
    /** Every secret of a kind, for comparison: never to be shown. */
    known: (kind: SecretKind) => [...kinds].flatMap(([secret, own]) => (own === kind ? [secret] : [])),
    /** Labels the secrets in a text of a peer, the values of its credential fields, and whatever has the shape of a key or token. */
    text: labelPeers,
    /** The same for a header of a peer. */
    header: (name: string, value: string): [name: string, value: string] => [
      labelPeers(name),
      labelQuoted(hideHeader(name, disarmLabels(value), hide)),
    ],
    /** The same for a sentence of the suite, in which a secret that is a word is one only in a quote. */
    sentence: (text: string) => changeQuotes(printed(disarmLabels(text)), labelQuoted, (own) => own),
    /** Labels the secrets in a text that has been hidden already, or that quotes no peer. Those that are words stay. */
    printed,
    /** Every secret that was registered since the last call, for another process. */
    drain: () => pending.splice(0),
  }
  for (const one of registered) add(one)
  return secrets
}

/** The secrets of this process, which receives those of every run in it: nothing that it prints has one. */
export const processSecrets = createSecrets()

/** Characters by which the forms of secrets are looked up. */
const start = shortest

/** Finds the forms of many secrets at once, the longest where several begin. */
function createForms() {
  const byStart = new Map<string, Form[]>()
  return {
    add(kind: SecretKind, secret: string): void {
      const [inUrl, inJson] = [encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)]
      const inPath = encodeURI(secret.toWellFormed())
      const plain = [secret, inUrl, inUrl.replaceAll("'", '%27'), inPath, inJson]
      for (const form of new Set([...plain, ...encodedForms(secret)])) {
        const alike = byStart.get(form.slice(0, start)) ?? []
        byStart.set(form.slice(0, start), alike)
        // The longest that begins here is the one.
        const shorter = alike.findIndex((other) => other.form.length < form.length)
        alike.splice(shorter < 0 ? alike.length : shorter, 0, { form, kind, secret })
      }
    },
    replace(text: string, show: (found: Form) => string): string {
      let shown = ''
      let from = 0
      for (let at = 0; at + start <= text.length; at += 1) {
        const alike = byStart.get(text.slice(at, at + start))
        // The comparison of two strings is many times as fast as `startsWith`.
        const found = alike?.find(
          ({ form }) =>
            text.slice(at, at + form.length) === form && !isCut(form, text.charAt(at + form.length)),
        )
        if (found === undefined) continue
        shown += text.slice(from, at) + show(found)
        from = at + found.form.length
        at = from - 1
      }
      return shown + text.slice(from)
    },
  }
}

/** Fewer characters stand elsewhere by chance. */
const shortestEncoded = 16

/** Its hexadecimal, and what base64 has of it at each alignment: `--evidence full` shows what the mask would hide. */
function encodedForms(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex')
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + secret)
    const end = bytes.length % 3 === 0 ? undefined : -1
    return (['base64', 'base64url'] as const).map((encoding) =>
      bytes
        .toString(encoding)
        .replace(/=+$/, '')
        .slice(before === 0 ? 0 : before + 1, end),
    )
  })
  return [hex, hex.toUpperCase(), ...inBase64].filter(({ length }) => length >= shortestEncoded)
}

/** Further characters make it a different key. */
function isCut(form: string, next: string): boolean {
  return form.startsWith('ac_live_') && /[\w-]/.test(next)
}

/** Says whether a text is nothing that stands elsewhere by chance: no word, id or repetition. */
function isRandom(text: string): boolean {
  if (text.length < 16 || /\s/.test(text) || new Set(text).size < 8) return false
  const isMixed = /\d/.test(text) && /[A-Za-z]/.test(text)
  return isMixed || (text.length >= 24 && /^(?:[A-Za-z]+|[^A-Za-z]*\d[^A-Za-z]*)$/.test(text))
}
