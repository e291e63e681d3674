import { connect } from 'node:tls'

const deadlineMs = 4000

/**
 * Checks whether a server completes a handshake of TLS 1.0 or 1.1. Nothing is sent over the connection, so
 * its certificate is not verified.
 * @returns the version, or `null` where there was no such handshake
 */
export function offersOldVersion(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: host.replace(/^\[|\]$/g, ''),
      port,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      // OpenSSL allows the signatures of these versions at this level only.
      ciphers: 'DEFAULT@SECLEVEL=0',
      rejectUnauthorized: false,
    })
    const end = (version: string | null) => {
      socket.destroy()
      resolve(version)
    }
    socket.setTimeout(deadlineMs, () => end(null))
    socket.once('secureConnect', () => end(socket.getProtocol()))
    socket.once('error', () => end(null))
    socket.once('close', () => end(null))
  })
}
