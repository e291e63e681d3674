import { connect } from 'node:tls'

/** Silence shows nothing where a usual handshake takes long as well: then both have more time. */
const deadlinesMs = [4_000, 16_000] as const
/** A server drops handshakes of old versions where it completes a usual one so many times as fast. */
const timesFaster = 4

interface Handshake {
  /** Null where there was none. */
  readonly version: string | null
  readonly tookMs: number
  /** It ended by the deadline. */
  readonly isSilent: boolean
}

interface HandshakeOptions {
  readonly host: string
  readonly port: number
  readonly isOld: boolean
  readonly deadlineMs: number
}

const old = {
  minVersion: 'TLSv1',
  maxVersion: 'TLSv1.1',
  // OpenSSL allows the signatures of these versions at this level only.
  ciphers: 'DEFAULT@SECLEVEL=0',
} as const

/** The old version (TLS 1.0 or 1.1) that a server completes a handshake of; `null`: none, `undefined`: too slow to tell. */
export async function offersOldVersion(
  host: string,
  port: number,
  shake: (options: HandshakeOptions) => Promise<Handshake> = shakeHands,
): Promise<string | null | undefined> {
  for (const deadlineMs of deadlinesMs) {
    const { version, isSilent } = await shake({ host, port, isOld: true, deadlineMs })
    if (!isSilent) return version
    const usual = await shake({ host, port, isOld: false, deadlineMs })
    if (!usual.isSilent && usual.tookMs < deadlineMs / timesFaster) return null
  }
  return undefined
}

function shakeHands({ host, port, isOld, deadlineMs }: HandshakeOptions): Promise<Handshake> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    // Nothing is sent over it, so that its certificate need not be verified.
    const usual = { host: host.replace(/^\[|\]$/g, ''), port, rejectUnauthorized: false }
    const socket = connect(isOld ? { ...usual, ...old } : usual)
    const end = (version: string | null, isSilent = false) => {
      socket.destroy()
      resolve({ version, tookMs: performance.now() - startedAt, isSilent })
    }
    socket.setTimeout(deadlineMs, () => end(null, true))
    socket.once('secureConnect', () => end(socket.getProtocol()))
    socket.once('error', () => end(null))
    socket.once('close', () => end(null))
  })
}
