import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { dayMs } from '../times.ts'
import { bits, boolean, context, identifier, integer, octets, sequence, set, time, utf8 } from './der.ts'

/** A throwaway authority: its key exists in this process only, unless it is kept. */
export interface CertificateAuthority {
  /** Its own certificate, PEM: what a client has to trust. */
  readonly certificate: string
  issue(wanted: WantedCertificate): ServerCertificate
  certify(publicKey: KeyObject, wanted: WantedCertificate): string
}

export interface WantedCertificate {
  /** DNS names and IP addresses. */
  readonly names: readonly string[]
  /** A day either side of now where absent. */
  readonly validFrom?: Date
  readonly validTo?: Date
  /** Names a client to servers, instead of a server to clients. */
  readonly isClient?: boolean
}

/** PEM, as `node:tls` takes it. */
export interface ServerCertificate {
  readonly cert: string
  readonly key: string
}

const ecdsaWithSha256 = sequence(identifier('1.2.840.10045.4.3.2'))

/** The parts that an authority is opened from, for one that outlives its process. */
export interface KeptAuthority {
  readonly commonName: string
  /** PEM, as is the key. */
  readonly certificate: string
  readonly privateKey: string
}

/** Makes an authority with a new key on P-256, valid from a day ago for 30 days. */
export const createAuthority = (commonName?: string): CertificateAuthority =>
  openAuthority(makeAuthority(commonName))

export function makeAuthority(name = 'twotoken throwaway CA'): KeptAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const commonName = `${name} ${randomBytes(4).toString('hex')}`
  const issuer = nameOf(commonName)
  const now = Date.now()
  const certificate = signed({
    issuer,
    subject: issuer,
    publicKey: keys.publicKey,
    issuerKey: keys.privateKey,
    validity: sequence(time(new Date(now - dayMs)), time(new Date(now + 30 * dayMs))),
    extensions: [
      extension('2.5.29.19', true, sequence(boolean(true))), // basicConstraints: a CA
      extension('2.5.29.15', true, bits(Buffer.of(0b0000_0110), 1)), // keyUsage: keyCertSign, cRLSign
    ],
  })
  return { commonName, certificate, privateKey: pemOf(keys.privateKey) }
}

export function openAuthority({ commonName, certificate, privateKey }: KeptAuthority): CertificateAuthority {
  const issuer = nameOf(commonName)
  const issuerKey = createPrivateKey(privateKey)
  const issuerId = keyIdOf(createPublicKey(issuerKey))
  const certify: CertificateAuthority['certify'] = (publicKey, { names, isClient = false, ...validity }) => {
    const { validFrom = new Date(Date.now() - dayMs), validTo = new Date(Date.now() + dayMs) } = validity
    return signed({
      issuer,
      subject: nameOf(names[0] ?? 'nameless'),
      publicKey,
      issuerKey,
      validity: sequence(time(validFrom), time(validTo)),
      extensions: [
        extension('2.5.29.19', true, sequence()),
        extension('2.5.29.15', true, bits(Buffer.of(0b1000_0000), 7)), // digitalSignature
        // serverAuth or clientAuth
        extension('2.5.29.37', false, sequence(identifier(`1.3.6.1.5.5.7.3.${isClient ? 2 : 1}`))),
        extension('2.5.29.17', false, sequence(...names.map(alternativeName))),
        extension('2.5.29.35', false, sequence(context(0, 'primitive', issuerId))),
      ],
    })
  }
  return {
    certificate,
    certify,
    issue(wanted) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      return { cert: certify(own.publicKey, wanted), key: pemOf(own.privateKey) }
    },
  }
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Certificates that a client must reject: signed by another authority, expired, or for another name. */
export type InvalidCertificates = Readonly<
  Record<'untrusted' | 'expired' | 'for another name', ServerCertificate>
>

/** The certificate of a server, and further ones for faults. */
export interface TestableCertificate extends ServerCertificate {
  readonly invalid: InvalidCertificates
}

/** A certificate of an authority of its own, for a server whose clients are handed `ca`. */
export function createServerCertificate({
  names,
}: Pick<WantedCertificate, 'names'>): TestableCertificate & { readonly ca: string } {
  const authority = createAuthority()
  const longAgo = { validFrom: new Date('2020-01-01'), validTo: new Date('2020-02-01') }
  return {
    ...authority.issue({ names }),
    ca: authority.certificate,
    invalid: {
      untrusted: createAuthority().issue({ names }),
      expired: authority.issue({ names, ...longAgo }),
      'for another name': authority.issue({ names: ['elsewhere.example'] }),
    },
  }
}

interface Contents {
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly publicKey: KeyObject
  readonly issuerKey: KeyObject
  readonly validity: Buffer
  readonly extensions: readonly Buffer[]
}

/** RFC 5280, 4.1: what is to be signed, the algorithm, the signature; as PEM. */
function signed({ issuer, subject, publicKey, issuerKey, validity, extensions }: Contents): string {
  const keyId = extension('2.5.29.14', false, octets(keyIdOf(publicKey)))
  const body = sequence(
    context(0, 'constructed', integer(Buffer.of(2))), // version 3
    integer(randomBytes(16)),
    ecdsaWithSha256,
    issuer,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    context(3, 'constructed', sequence(...extensions, keyId)),
  )
  const der = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuerKey)))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(identifier('2.5.4.3'), utf8(commonName))))
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  return sequence(identifier(id), ...(critical ? [boolean(true)] : []), octets(value))
}

function keyIdOf(publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20)
}

function alternativeName(name: string): Buffer {
  if (isIPv4(name)) return context(7, 'primitive', Buffer.from(name.split('.').map(Number)))
  if (isIPv6(name)) return context(7, 'primitive', ipv6Bytes(name))
  return context(2, 'primitive', Buffer.from(name))
}

function ipv6Bytes(address: string): Buffer {
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const [head = '', tail] = address.split('::')
  const after = groups(tail ?? '')
  const missing = tail === undefined ? 0 : 8 - groups(head).length - after.length
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...after]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
