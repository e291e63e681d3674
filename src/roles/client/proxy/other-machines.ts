import { lookup as lookupHost } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

/** Addresses that lead to this machine or no further than its link, for every client. */
const near = new BlockList()
near.addSubnet('127.0.0.0', 8, 'ipv4')
near.addSubnet('0.0.0.0', 8, 'ipv4')
near.addSubnet('169.254.0.0', 16, 'ipv4')
near.addAddress('::1', 'ipv6')
near.addAddress('::', 'ipv6')
near.addSubnet('fe80::', 10, 'ipv6')
// Where clouds tell a machine its own credentials, over addresses that look like others of a private network.
near.addSubnet('fd00:ec2::', 32, 'ipv6')
near.addSubnet('fd20:ce::', 32, 'ipv6')
near.addAddress('100.100.100.200', 'ipv4')
// Site-local, and IPv4 in IPv6.
near.addSubnet('fec0::', 10, 'ipv6')
near.addSubnet('64:ff9b::7f00:0', 104, 'ipv6')
near.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')

export const notReached = 'the proxy does not forward to loopback or link-local addresses'

/** Says whether this is an address that only this machine should use. Names are looked up elsewhere. */
export function isThisMachine(address: string): boolean {
  return isIP(address) !== 0 && near.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** As `dns.lookup`, and fails where a name leads to such an address. */
export const lookupElsewhere: LookupFunction = (hostname, options, callback) => {
  lookupHost(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    if (addresses.some(({ address }) => isThisMachine(address))) return callback(new Error(notReached), '')
    const [first] = addresses
    if (options.all === true) return callback(null, addresses)
    return callback(null, first?.address ?? '', first?.family)
  })
}
