/** Errors of a command as a whole. The set is closed: the command line maps each to an exit code. */
export type ErrorCode =
  | 'usage'
  | 'configuration'
  | 'credential'
  | 'precondition'
  | 'unwritable'
  | 'internal'
  | 'interrupted'

/** A failure that a user reads as one sentence. Anything else that is thrown is converted at the boundary. */
export class TwotokenError extends Error {
  override readonly name = 'TwotokenError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The exit code after Ctrl-C, as shells report it (128 + SIGINT). */
export const interruptedExitCode = 130

const exitCodes: Record<ErrorCode, number> = {
  usage: 2,
  configuration: 2,
  credential: 2,
  precondition: 2,
  unwritable: 4,
  internal: 4,
  interrupted: interruptedExitCode,
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(exitCodes, code)
}

/** The process exit code for anything thrown: unknown errors count as the suite's own failure. */
export function exitCodeOf(error: unknown): number {
  return error instanceof TwotokenError ? exitCodes[error.code] : exitCodes.internal
}

/** Awaits a package with error codes of the same meaning: its errors become those of the suite. */
export async function withOwnErrors<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    if (error instanceof Error && 'code' in error && isErrorCode(error.code))
      throw new TwotokenError(error.code, error.message, error)
    throw error
  }
}
