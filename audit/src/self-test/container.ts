/** A file inside a container. */
export interface Member {
  readonly name: string
  /** How the container keeps it, for example `zip, deflated`. */
  readonly kind: string
  readonly bytes: Buffer
}

/** A container that can be written again with other contents. */
export interface Container {
  recognises(name: string, bytes: Buffer): boolean
  /** Calls for each file in it; what comes back, unless it is `null`, takes the file's place. `null` if none changed. */
  rewrite(name: string, bytes: Buffer, change: (member: Member) => Buffer | null): Buffer | null
}
