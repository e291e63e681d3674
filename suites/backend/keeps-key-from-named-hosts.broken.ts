import { warning } from '../lib/broken-rows.ts'
import { mintAt } from './lib/variant-redirects.ts'
import { backends, type Inbound, inHeader, inJson, inQuery, rejecting } from './lib/variants.ts'

type Reader = (request: Inbound) => string | undefined

const forwardedHost = inHeader('x-forwarded-host')

export const broken = {
  ...backends({
    'builds the address of the mint from X-Forwarded-Host': mintAt(hostIn(forwardedHost)),
    'builds the address of the mint from X-Forwarded-Host and X-Forwarded-Proto': mintAt((request) =>
      request.headers['x-forwarded-proto'] === undefined ? undefined : hostIn(forwardedHost)(request),
    ),
    'builds the address of the mint from Forwarded': mintAt(
      hostIn(({ headers }) => headers['forwarded']?.split('host="')[1]?.split('"')[0]),
    ),
    'builds the address of the mint from X-Host, behind a firewall that rejects X-Forwarded-Host': {
      ...mintAt(hostIn(inHeader('x-host'))),
      ...rejecting(({ headers }) => headers['x-forwarded-host'] !== undefined),
    },
    'has a mint for each Host': mintAt((request) =>
      request.headers['host'] === request.url.host && request.url.pathname === '/calling/token'
        ? undefined
        : hostIn(inHeader('host'))(request),
    ),
    'builds the address of the mint from an absolute target': mintAt(({ url, headers }) =>
      url.host === headers['host'] ? undefined : url.origin,
    ),
    'mints where a field of the query says': mintAt(inQuery('mint')),
    'mints where a field of the body says': mintAt(inJson('apiUrl')),
    'mints where the one field says that it admits': {
      ...mintAt(inQuery('endpoint')),
      ...rejecting(({ url }) => [...url.searchParams.keys()].some((name) => name !== 'endpoint')),
    },
    'builds an address with https from X-Forwarded-Host': mintAt(hostIn(forwardedHost, 'https')),
  }),
  ...warning({
    'trusts no certificate of the host in X-Forwarded-Host': {
      backend: mintAt(hostIn(forwardedHost, 'https'), { verifies: true }),
    },
    'asks the named host for its health first, without the key': {
      backend: mintAt(hostIn(forwardedHost), { isWithoutKey: true }),
    },
  }),
}

function hostIn(read: Reader, scheme = 'http'): Reader {
  return (request) => {
    const host = read(request)
    return host === undefined ? undefined : `${scheme}://${host}`
  }
}
