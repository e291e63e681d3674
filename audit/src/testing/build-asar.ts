/** An asar archive for tests, of a header that may say anything. */
export function buildAsar(header: object, bytes: Buffer): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const padded = Math.ceil(json.length / 4) * 4
  const head = Buffer.alloc(16)
  head.writeUInt32LE(4, 0)
  head.writeUInt32LE(padded + 8, 4)
  head.writeUInt32LE(padded + 4, 8)
  head.writeUInt32LE(json.length, 12)
  return Buffer.concat([head, json, Buffer.alloc(padded - json.length), bytes])
}
