import type { NoAnswer } from '../../base/http/client.ts'
import type { FailureKind } from '../../base/http/failure.ts'

/** A fault of the configuration or the network, not of the implementation, that would make verdicts meaningless. */
export interface Problem {
  readonly part: 'mint' | 'backend' | 'signaling' | 'client' | 'token' | 'clock' | 'logs'
  readonly kind:
    | 'url'
    | 'refused'
    | 'name'
    | 'tls'
    | 'key'
    | 'session'
    | 'clock'
    | 'credential'
    | 'port'
    | 'driver'
    | 'environment'
    | 'peer'
    | 'unserved'
  /** The observation, the expectation and the change to make. */
  readonly message: string
  /** True where nothing about the part can be judged. */
  readonly fatal: boolean
}

/** A peer that gave no whole answer. */
export function noAnswerProblem(
  part: 'mint' | 'backend' | 'signaling' | 'client',
  url: string,
  { failure, message }: Pick<NoAnswer, 'failure' | 'message'>,
  ca?: string,
): Problem {
  const kind = failure === 'refused' || failure === 'name' || failure === 'tls' ? failure : 'peer'
  const [saw, expected] =
    failure === 'tls' && isNoTls(message)
      ? ['answered without TLS', 'a TLS handshake']
      : [message, expectations[failure]]
  const sentence = `${url} ${saw}; expected ${expected}: ${adviceFor(failure, { setting: `${part}.url`, url, message, ca })}`
  return { part, kind, message: sentence, fatal: true }
}

const expectations: Readonly<Record<FailureKind, string>> = {
  refused: 'a server that listens',
  name: 'a host name that resolves',
  tls: 'a valid certificate',
  timeout: 'a response in time',
  reset: 'a complete response',
  'too-large': 'a response of ordinary size',
  redirects: 'a response',
  proxy: 'a proxy that forwards to it',
  protocol: 'HTTP',
}

interface Failing {
  readonly setting: string
  readonly url: string
  readonly message: string
  readonly ca: string | undefined
}

function adviceFor(failure: FailureKind, { setting, url, message, ca }: Failing): string {
  if (failure === 'refused') return `start it, or correct the host and port in ${setting}`
  if (failure === 'name') return `correct the host in ${setting}, or check DNS on this machine`
  if (failure === 'proxy')
    return 'correct proxy.url (or HTTPS_PROXY) and its credentials, or add the host to proxy.bypass (or NO_PROXY)'
  if (failure === 'tls') return adviceOnTls(setting, message, ca)
  if (failure === 'timeout') return `check that it is running, or raise limits.requestSeconds`
  if (failure === 'reset' && /^(http|ws):/.test(url))
    return `check what listens there; if it uses TLS, write ${url.startsWith('http') ? 'https' : 'wss'}:// in ${setting}`
  if (failure === 'protocol' && message.includes('HTTP/2'))
    return `enable HTTP/1.1, or TLS for HTTP/2, or correct ${setting}`
  return `check what listens there, or correct ${setting}`
}

function adviceOnTls(setting: string, message: string, ca: string | undefined): string {
  if (/certificate required|handshake failure|bad certificate|unknown ca/i.test(message))
    return 'it asks for a client certificate; set tls.client to one that it trusts'
  if (/expired/i.test(message)) return 'its certificate has expired; renew it'
  if (/not yet valid/i.test(message)) return 'its certificate is not valid yet; compare the clocks'
  if (/altname|does not match|hostname/i.test(message))
    return `its certificate is for another name; use that name in ${setting}, or change the certificate`
  if (/self.signed|unable to (get|verify)|issuer/i.test(message))
    return ca === undefined
      ? 'its certificate has an untrusted issuer; set tls.ca to the CA certificate'
      : `its certificate is not signed by ${ca} and has an untrusted issuer; set tls.ca to the authority that signed it`
  if (isNoTls(message)) return `correct the scheme or the port in ${setting}`
  return `correct its certificate, or ${setting}`
}

/** Says whether a handshake failed because the other side speaks no TLS. */
export function isNoTls(message: string): boolean {
  return /wrong version|packet length|record layer|EPROTO/i.test(message)
}
