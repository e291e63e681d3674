import type { Engine } from './engine.ts'

/** As much of what a container prints as is kept: lines from its end. */
const keptLines = 2000
const headerBytes = 8

/** What a container has printed, both streams in the order of their arrival; empty where nobody can say. */
export async function logOf({ docker }: Engine, id: string): Promise<string> {
  try {
    const raw = await docker
      .getContainer(id)
      .logs({ follow: false, stdout: true, stderr: true, tail: keptLines })
    return demultiplexed(Buffer.isBuffer(raw) ? raw : Buffer.from(String(raw)))
  } catch {
    return ''
  }
}

/** Each piece of output comes behind a header: the stream, three zero bytes, and its length. */
function demultiplexed(raw: Buffer): string {
  const pieces: Buffer[] = []
  let at = 0
  while (at + headerBytes <= raw.length) {
    const stream = raw[at] ?? 0
    // A container with a terminal has one stream and no headers.
    if (stream > 2 || raw.readUIntBE(at + 1, 3) !== 0) return raw.toString('utf8')
    const length = raw.readUInt32BE(at + 4)
    pieces.push(raw.subarray(at + headerBytes, at + headerBytes + length))
    at += headerBytes + length
  }
  return Buffer.concat(pieces).toString('utf8')
}
