import type { UnreadHost } from '../types.ts'

/** Keeps which hosts a device reached, or tried to reach, without the suite reading what it sent. */
export function createUnreadHosts() {
  const read = new Set<string>()
  const refused = new Map<string, string>()
  const unused = new Set<string>()
  const forwarded = new Set<string>()
  return {
    read: (host: string) => void read.add(host),
    // One that is broken off without an alert counts where nothing else of the host was read: browsers do so as well.
    unreadable(host: string, error: NodeJS.ErrnoException) {
      const reason = explain(error)
      if (reason === null) unused.add(host)
      else refused.set(host, reason)
    },
    closedUnused: (host: string) => void unused.add(host),
    forwarded: (host: string) => void forwarded.add(host),
    list(): readonly UnreadHost[] {
      const silent = [...unused].filter((host) => !read.has(host) && !refused.has(host))
      return [
        ...[...refused].map(([host, reason]) => ({ host, reason })),
        ...silent.map((host) => ({
          host,
          reason: `the device closed each connection before a request, probably because it ${pins}`,
        })),
      ]
    },
    /** Hosts that the configuration forwards unread, of which something was. */
    listForwarded: () => [...forwarded],
    /** Forgets what was before: a device that did not trust the suite yet. */
    reset() {
      for (const known of [read, refused, unused, forwarded]) known.clear()
    },
  }
}

const pins = 'pins another certificate or does not trust the authority of the suite'

/** Null where the connection merely ended. */
function explain({ code = '' }: NodeJS.ErrnoException): string | null {
  const alert = /ALERT_(.+)/.exec(code)?.[1]?.toLowerCase()
  if (alert !== undefined && /unknown_ca|certificate|access_denied|decrypt_error/.test(alert))
    return `the device ended the TLS handshake with the alert ${alert}: it ${pins}`
  if (code === 'ERR_SSL_NO_APPLICATION_PROTOCOL') return 'the device offers no HTTP/1.1 (ALPN)'
  if (code === 'HPE_PAUSED_H2_UPGRADE') return 'the device sends HTTP/2 without asking whether it may'
  if (code.startsWith('HPE_')) return 'the device sends something else than HTTP/1.1'
  return code.startsWith('ERR_SSL_') ? `the TLS handshake failed (${code})` : null
}
