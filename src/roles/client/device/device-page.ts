import { X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The host of the page with the authority: the proxy serves it, and no DNS server knows it. */
export const setUpHost = 'twotoken.test'

export interface DevicePage {
  /** Answers a request for the page, in whichever way it came. */
  serve(url: URL, response: ServerResponse, request: IncomingMessage): void
}

export interface DevicePageOptions {
  /** PEM. */
  readonly certificate: string
  /** Where devices reach the proxy: `192.168.1.20:9451`. */
  readonly addresses: readonly string[]
  /** A device made a TLS connection under the authority. */
  onTrusted(): void
}

const files = { pem: '/twotoken-ca.pem', der: '/twotoken-ca.crt' } as const
const trustedPath = '/trusted'

/** The page that leads a device to the proxy and to the authority. */
export function createDevicePage({ certificate, addresses, onTrusted }: DevicePageOptions): DevicePage {
  const parsed = new X509Certificate(certificate)
  const html = writePage({
    addresses,
    name: parsed.subject.replace(/^CN=/, ''),
    fingerprint: parsed.fingerprint256,
  })
  return {
    serve(url, response, request) {
      request.resume()
      const isSecure = url.protocol === 'https:'
      const send = (type: string, body: string | Buffer, name?: string) => {
        const headers = {
          'content-type': type,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-security-policy': contentSecurityPolicy,
        }
        // Inline: a phone would only save an attachment, and not install it.
        const named = name === undefined ? {} : { 'content-disposition': `inline; filename="${name}"` }
        response.writeHead(200, { ...headers, ...named }).end(body)
      }
      if (url.pathname === '/') send('text/html; charset=utf-8', html)
      else if (url.pathname === files.pem) send('application/x-pem-file', certificate, 'twotoken-ca.pem')
      else if (url.pathname === files.der) send('application/x-x509-ca-cert', parsed.raw, 'twotoken-ca.crt')
      else if (url.pathname === trustedPath && isSecure) {
        onTrusted()
        response.writeHead(204, { 'cache-control': 'no-store' }).end()
      } else response.writeHead(404).end()
    },
  }
}

const contentSecurityPolicy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src https://${setUpHost}`

interface Shown {
  readonly addresses: readonly string[]
  readonly name: string
  readonly fingerprint: string
}

function writePage({ addresses, name, fingerprint }: Shown): string {
  const places = addresses.map((address) => {
    const at = address.lastIndexOf(':')
    return `<p class="address">Server <b>${address.slice(0, at)}</b> Port <b>${address.slice(at + 1)}</b></p>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>twotoken: set up this device</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 1.25rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem; line-height: 1.25; margin: .25rem 0 1rem }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem }
p { margin: .5rem 0 }
.address { font-variant-numeric: tabular-nums }
.address b { margin-right: 1rem }
.state { padding: .75rem 1rem; border: 2px solid currentColor; border-radius: .5rem }
.button { display: block; padding: .75rem 1rem; margin: .75rem 0; border-radius: .5rem; background: #0b57d0; color: #fff; text-align: center; text-decoration: none }
.button.second { background: none; color: inherit; border: 1px solid currentColor }
details { border-top: 1px solid #8886; padding: .6rem 0 }
summary { cursor: pointer; font-weight: 600; padding: .3rem 0 }
ol, ul { padding-left: 1.4rem; margin: .5rem 0 }
code { font-size: .8rem }
</style>
<h1>Set up this device</h1>
<p class="state" id="state" role="status">Not ready: set the proxy and install the certificate authority.</p>
<h2>1. Set the proxy</h2>
<p>Wi-Fi settings of this network, HTTP proxy, manual:</p>
${places.join('\n')}
<h2>2. Install the certificate authority</h2>
<a class="button" href="${files.der}">Certificate for iOS and Android (.crt)</a>
<a class="button second" href="${files.pem}">Certificate for desktops (.pem)</a>
<details>
<summary>iPhone and iPad</summary>
<ol>
<li>Download the certificate in Safari and allow the profile.</li>
<li>Settings, Profile Downloaded, Install.</li>
<li>Settings, General, About, Certificate Trust Settings: turn on full trust for the certificate.</li>
</ol>
</details>
<details>
<summary>Android</summary>
<ol>
<li>Download the certificate.</li>
<li>Settings, Security, Encryption &amp; credentials, Install a certificate, CA certificate.</li>
<li>An app trusts it if its network security configuration includes user certificates: a debug build can
(<code>&lt;certificates src="user" /&gt;</code> in <code>debug-overrides</code>). On an emulator with root access you can
install it as a system certificate.</li>
</ol>
</details>
<details>
<summary>macOS, Windows, Linux</summary>
<ul>
<li>macOS: open the .pem file in Keychain Access and trust it always. A simulator of iOS: <code>xcrun simctl keychain booted add-root-cert twotoken-ca.pem</code></li>
<li>Windows: open the .crt file, Install Certificate, Trusted Root Certification Authorities.</li>
<li>Linux: give the .pem file to the app (<code>SSL_CERT_FILE</code>, <code>NODE_EXTRA_CA_CERTS</code>), or add it to the system.</li>
</ul>
</details>
<h2>3. Go back to the terminal</h2>
<p>It shows the next step. After the run, remove the proxy and the certificate: the authority was made for this run, and its
key is in the memory of the run only.</p>
<p><code>${name}<br>SHA-256 ${fingerprint}</code></p>
<script>
const state = document.getElementById('state')
async function ask() {
  try {
    await fetch('https://${setUpHost}${trustedPath}', { mode: 'no-cors', cache: 'no-store' })
    state.textContent = 'Ready: this device uses the proxy and trusts the authority.'
  } catch {
    if (location.hostname === '${setUpHost}')
      state.textContent = 'The proxy is set. Not ready: install the certificate authority and trust it.'
    setTimeout(ask, 3000)
  }
}
ask()
</script>
</html>
`
}
