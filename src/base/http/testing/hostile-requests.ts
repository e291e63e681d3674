import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Where a hostile request goes, and what it tries to make the listener do. */
interface Aim {
  /** `host:port` of the listener. */
  readonly own: string
  /** `host:port` of a server that the listener must not connect to. */
  readonly canary: string
  /** A path that the listener serves. */
  readonly path: string
}

/** The raw bytes of one connection, as latin1 text. */
type HostileRequest = (aim: Aim) => string

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
const socketKey = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
const longLine = 'a'.repeat(100 * 1024)

/** A request line with the headers of an ordinary request. */
const asked =
  (line: (aim: Aim) => string, ...headers: readonly string[]): HostileRequest =>
  (aim) => {
    const connection = headers.some((header) => header.startsWith('Connection:')) ? [] : ['Connection: close']
    return [line(aim), `Host: ${aim.own}`, ...headers, ...connection, '', ''].join('\r\n')
  }

/** A GET of this target. */
const target = (of: (aim: Aim) => string, ...headers: readonly string[]) =>
  asked((aim) => `GET ${of(aim)} HTTP/1.1`, ...headers)

/** These lines, and what ends the connection. */
const raw =
  (...lines: readonly ((aim: Aim) => string)[]): HostileRequest =>
  (aim) =>
    [...lines.map((line) => line(aim)), 'Connection: close', '', ''].join('\r\n')

/** A GET with these lines for its Host. */
const hosted = (...hosts: readonly ((aim: Aim) => string)[]) =>
  raw(({ path }) => `GET ${path} HTTP/1.1`, ...hosts.map((of) => (aim: Aim) => `Host: ${of(aim)}`))

/** A POST. */
const posted = (...headers: readonly string[]) => asked(({ path }) => `POST ${path} HTTP/1.1`, ...headers)

/** Requests that any listener on a network gets sooner or later, by the name of their fault. */
export const hostileRequests: Readonly<Record<string, HostileRequest>> = {
  'absolute form': target(({ canary, path }) => `http://${canary}${path}`),
  'absolute form behind user information': target(({ own, canary }) => `http://${own}@${canary}/`),
  'absolute form with a body': asked(
    ({ canary, path }) => `POST http://${canary}${path} HTTP/1.1`,
    'Content-Length: 2',
    'Content-Type: application/json',
  ),
  'absolute form of https': target(({ canary, path }) => `https://${canary}${path}`),
  'absolute form of a WebSocket': target(({ canary }) => `ws://${canary}/`, upgrade, socketKey),
  'absolute form of a file': target(() => 'file:///etc/passwd'),
  'absolute form of FTP': target(({ canary }) => `ftp://${canary}/`),
  'absolute form without a host': target(() => 'http:///'),
  'absolute form with half an address': target(() => 'http://['),
  'absolute form with a port that is none': target(() => 'http://localhost:99999/'),
  'two slashes and a host': target(({ canary, path }) => `//${canary}${path}`),
  'two slashes': target(() => '//'),
  'three slashes': target(() => '///'),
  'two slashes and half an address': target(() => '//['),
  'two slashes and a percent sign': target(() => '//%'),
  'a slash, a backslash and a host': target(({ canary, path }) => `/\\${canary}${path}`),
  'two backslashes and a host': target(({ canary, path }) => `\\\\${canary}${path}`),
  'an at sign and a host': target(({ canary }) => `@${canary}/`),
  'a path with an at sign and a host': target(({ canary }) => `/@${canary}/`),
  'an asterisk': asked(() => 'OPTIONS * HTTP/1.1'),
  'an asterisk that is read': target(() => '*'),
  'CONNECT with a host': raw(
    ({ canary }) => `CONNECT ${canary} HTTP/1.1`,
    ({ canary }) => `Host: ${canary}`,
  ),
  'CONNECT with a word': asked(() => 'CONNECT x HTTP/1.1'),
  'CONNECT with half an address': asked(() => 'CONNECT [::1:80 HTTP/1.1'),
  'CONNECT without a host': asked(() => 'CONNECT :0 HTTP/1.1'),
  'CONNECT with a port that is none': asked(() => 'CONNECT localhost:99999 HTTP/1.1'),
  'CONNECT with a path': asked(({ path }) => `CONNECT ${path} HTTP/1.1`),
  'CONNECT and a TLS handshake': (aim) =>
    `${asked(() => 'CONNECT %00..%ff:443 HTTP/1.1')(aim)}\x16\x03\x01\x02\x00\x01\x00`,
  'CONNECT and a malformed request': (aim) =>
    `${asked(() => 'CONNECT localhost:80 HTTP/1.1')(aim)}GET // HTTP/1.1\r\nHost: x\r\n\r\n`,
  'CONNECT and an asterisk': (aim) =>
    `${asked(() => 'CONNECT localhost:80 HTTP/1.1')(aim)}OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n`,
  'control bytes': target(() => '/\x00\x01\x1b[2J\x7f'),
  'a delete byte': target(() => '/\x7f'),
  'bytes above ASCII': target(() => '/\xff\xfe\x9b'),
  'a line of 100 KB': target(() => `/${longLine}`),
  'a header of 100 KB': target(() => '/', ...[`X-Long: ${longLine}`]),
  'a query of 12 KB': target(({ path }) => `${path}?${longLine.slice(0, 12 * 1024)}`),
  'bad percent escapes': target(() => '/%'),
  'percent escapes of no character': target(() => '/%zz%E0%A4%A'),
  'a percent-encoded zero': target(() => '/%00'),
  'bad percent escapes in the query': target(({ path }) => `${path}?%=%zz&%E0%A4%A`),
  'dot segments': target(() => '/../../../../../../etc/passwd'),
  'percent-encoded dot segments': target(() => '/%2e%2e/%2e%2e/%2e%2e/etc/passwd'),
  'dot segments and a host': target(({ canary, path }) => `/..//${canary}${path}`),
  'a dot segment and a host': target(({ canary, path }) => `/.//${canary}${path}`),
  'names of a prototype': target(() => '/__proto__'),
  'a constructor': target(() => '/constructor'),
  'no Host': raw(({ path }) => `GET ${path} HTTP/1.1`),
  'no Host, by HTTP/1.0': raw(({ path }) => `GET ${path} HTTP/1.0`),
  'two Hosts': hosted(
    ({ own }) => own,
    ({ canary }) => canary,
  ),
  'an empty Host': hosted(() => ''),
  'half an address as Host': hosted(() => '[::1'),
  'another Host': hosted(({ canary }) => canary),
  'a Host that names this machine by DNS': hosted(() => 'rebound.attacker.example'),
  'an upgrade to an unknown protocol': target(({ path }) => path, 'Connection: Upgrade', 'Upgrade: \x01\xff'),
  'an upgrade to h2c': target(
    ({ path }) => path,
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
  ),
  'an upgrade without a key': target(({ path }) => path, upgrade),
  'an upgrade with a malformed key': target(({ path }) => path, upgrade, 'Sec-WebSocket-Key: x'),
  'an upgrade of version 99': target(
    ({ path }) => path,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 99',
    socketKey,
  ),
  'an upgrade of two slashes': target(() => '//', upgrade, socketKey),
  'an upgrade of half an address': target(() => 'http://[', upgrade, socketKey),
  'an upgrade of another path': target(() => '/elsewhere', upgrade, socketKey),
  'an upgrade with malformed subprotocols': target(
    ({ path }) => path,
    upgrade,
    socketKey,
    'Sec-WebSocket-Protocol: ,,a b,\xff',
  ),
  'an upgrade and malformed frames': (aim) =>
    `${target(({ path }) => path, upgrade, socketKey)(aim)}\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff`,
  'an upgrade and half a frame of 2 GB': (aim) =>
    `${target(({ path }) => path, upgrade, socketKey)(aim)}\x81\xff\x00\x00\x00\x00\x7f\xff\xff\xffabcd`,
  'half a request line': () => 'GET / HT',
  'half the headers': ({ own }) => `GET / HTTP/1.1\r\nHost: ${own}\r\nX-`,
  'half a body': (aim) => `${posted('Content-Length: 100')(aim)}{"a`,
  'a body of a negative length': posted('Content-Length: -1'),
  'a body of two lengths': (aim) => `${posted('Content-Length: 3', 'Content-Length: 4')(aim)}{} `,
  'a body of a length and of pieces': (aim) =>
    `${posted('Content-Length: 4', 'Transfer-Encoding: chunked')(aim)}0\r\n\r\nGET /${aim.canary} HTTP/1.1\r\n\r\n`,
  'a body in malformed pieces': (aim) => `${posted('Transfer-Encoding: chunked')(aim)}zz\r\n`,
  'a body in pieces of 16 exabytes': (aim) =>
    `${posted('Transfer-Encoding: chunked')(aim)}fffffffffffffffe\r\nx`,
  'a body that is no JSON': (aim) =>
    `${posted('Content-Type: application/json', 'Content-Length: 2')(aim)}{]`,
  'a body that is null': (aim) => `${posted('Content-Type: application/json', 'Content-Length: 4')(aim)}null`,
  'an expectation that is none': posted('Expect: the worst', 'Content-Length: 0'),
  'an unknown method': asked(({ path }) => `BREW ${path} HTTP/1.1`),
  'a preflight of bytes above ASCII': asked(
    ({ path }) => `OPTIONS ${path} HTTP/1.1`,
    'Origin: \xff\xfe',
    'Access-Control-Request-Method: \xe4',
    'Access-Control-Request-Headers: \xfc',
  ),
  'a folded header': target(({ path }) => path, 'X-A: b\r\n c: d'),
  'HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/9.9': raw(({ path }) => `GET ${path} HTTP/9.9`),
  'a TLS handshake': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'another protocol': () => 'SSH-2.0-OpenSSH_9.9\r\n',
  'bytes at random': () => '\x00\xff\x13\x37\x80\x00\r\n\r\n\x00',
  'two requests at once': (aim) => target(({ path }) => path)(aim) + target(() => '//')(aim),
  nothing: () => '',
}

export interface Listener {
  readonly port: number
  readonly host: string
  /** Speaks TLS; the certificate is not verified. */
  readonly isSecure: boolean
}

/** After this time without a byte more, a listener is told that nothing more comes. */
const quietMs = 100
/** How long it may keep the connection then. */
const patienceMs = 2_000

/** Sends bytes on a connection of their own, and resolves with what came back once the listener has closed it. */
export async function sendBytes(
  { port, host, isSecure }: Listener,
  bytes: string,
  silenceMs = quietMs,
): Promise<string> {
  const socket: Socket = isSecure
    ? connectTls({ port, host, rejectUnauthorized: false })
    : connectPlain({ port, host, allowHalfOpen: true })
  let answer = ''
  return await new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const wait = (then: () => void, milliseconds: number) => {
      clearTimeout(timer)
      timer = setTimeout(then, milliseconds)
    }
    // A server ends a request whose client has closed its side, so that comes last.
    const end = () => {
      socket.end()
      wait(over, patienceMs)
    }
    let timer = setTimeout(over, patienceMs)
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
      wait(end, quietMs)
    })
    for (const event of ['end', 'error', 'close'] as const) socket.once(event, over)
    socket.write(bytes, 'latin1', () => wait(end, silenceMs))
  })
}
