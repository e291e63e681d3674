import { inflated } from '../../base/http/inflate.ts'

const longestBytes = 16 * 1_048_576

/** A body as text, decompressed where its header or its first bytes say that it is compressed: analytics often are. */
export function readableBody(body: Buffer, encoding: string | undefined): string {
  try {
    return inflated(body, encoding ?? encodingByFirstBytes(body), longestBytes).toString('utf8')
  } catch {
    // Not what it says, or too long: what there is to read is the bytes.
    return body.toString('utf8')
  }
}

function encodingByFirstBytes(body: Buffer): string | undefined {
  if (body.length < 2) return undefined
  const first = body.readUInt16BE(0)
  if (first === 0x1f8b) return 'gzip'
  // RFC 1950: compression method 8 with a window of 32 KiB, and a checksum over both bytes.
  return body[0] === 0x78 && first % 31 === 0 ? 'deflate' : undefined
}
