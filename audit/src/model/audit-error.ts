/** A failure of the whole audit that a user reads as one sentence; the command line maps its code to an exit code. */
export class AuditError extends Error {
  override readonly name = 'AuditError'
  readonly code: 'usage' | 'configuration'

  constructor(code: AuditError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
