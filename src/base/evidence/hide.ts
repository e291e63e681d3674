import { type Allowance, createMask } from './mask.ts'
import type { Secrets } from './secrets.ts'

/** Turns texts of peers and of the suite into what may be written or printed. */
export interface Hider {
  /** Text of a peer, as it came. Texts that share an allowance are one text. */
  text(text: string, allowance?: Allowance): string
  header(pair: readonly [name: string, value: string], allowance: Allowance): readonly [string, string]
  sent(text: string): string
  sentHeader(pair: readonly [name: string, value: string]): readonly [string, string]
  /** A sentence of the suite's own, which may quote a peer. */
  sentence(text: string): string
  /** A text of the suite's own, or of the configuration, that quotes no peer. */
  own(text: string): string
}

export interface HiderOptions {
  readonly secrets: Secrets
  readonly fingerprintKey: string
  /** Names of the configuration, and texts that the suite has sent. */
  readonly names?: ReadonlySet<string> | undefined
}

/** Headers of a few numbers, which say how much and how long. */
const counting = /^(?:content-length|age|retry-after|(?:x-)?ratelimit-(?:limit|remaining|reset))$/i

/** Labels what is known to be secret, and masks whatever is not known to be harmless. */
export function createHider({ secrets, fingerprintKey, names = new Set() }: HiderOptions): Hider {
  // A JWT is made of no words.
  const spoken = (['api-key', 'session', 'secret', 'calling-jwt'] as const)
    .flatMap(secrets.known)
    .filter((secret) => secret.split('.').length < 3)
  const mask = createMask({ fingerprintKey, names, secrets: spoken })
  return {
    ...createLabeller(secrets),
    text: (text, allowance) => mask.text(secrets.text(text), allowance),
    header([name, value], allowance) {
      const [shown, labelled] = secrets.header(name, value)
      const isCount = counting.test(name) && /^\d{1,6}$/.test(value)
      return [mask.text(shown, allowance), isCount ? value : mask.text(labelled, allowance)]
    },
    sentence: (text) => mask.sentence(secrets.sentence(text)),
  }
}

/** Labels what is known to be secret, and shows the rest: `--evidence full`, for the user of this machine alone. */
export function createLabeller(secrets: Secrets): Hider {
  const header = ([name, value]: readonly [string, string]) => secrets.header(name, value)
  const { text, sentence, printed: own } = secrets
  return { text, header, sent: text, sentHeader: header, sentence, own }
}
