export interface IssuedToken {
  readonly jwt: string
  readonly userId: string
  readonly at: number
  /** Seconds since 1970. */
  readonly expiresAt: number
}

/** A request of the client, redacted nowhere: for comparing by value only. */
export interface SeenRequest {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** What it was sent to. `related` hosts share a domain with the customer's own: whose they are is not known. */
  readonly host: HostKind
  /** It was sent on to where it went; otherwise the suite answered it, so that no secret leaves the machine. */
  readonly passedOn: boolean
  readonly exchange: string
}

export type HostKind = 'own' | 'related' | 'mint' | 'elsewhere'

/** A place in which something was seen, with all of its text; empty texts are left out. */
export interface Tap {
  readonly place: Place
  /** Which one, for the reader: an address, a key of a storage, a script's name. */
  readonly name: string
  readonly text: string
  /** Empty where it was no traffic. */
  readonly exchange: string
}

/** The columns of the secret × place table. Requests are split by what they are and where they go. */
export const places = [
  'token route: Authorization',
  'token route: elsewhere in the request',
  'signaling: credential',
  'signaling: elsewhere',
  'own hosts: headers and body',
  'own hosts: URL',
  'mint host',
  'related hosts',
  'other hosts',
  'page or script',
  'worker script',
  'source map',
  'localStorage',
  'sessionStorage',
  'IndexedDB',
  'cache',
  'cookie',
  'console',
] as const
export type Place = (typeof places)[number]
