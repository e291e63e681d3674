import { isRecord } from '../../tokens/decode.ts'

/** A file of an asar archive: its path and where its bytes are. */
export interface AsarEntry {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** `null` where the bytes are no asar archive. Unpacked files stand beside the archive and are not in it. */
export function readAsar(
  bytes: Buffer,
): { entries: AsarEntry[]; headerEnd: number; isWhole: boolean } | null {
  if (bytes.length < 16 || bytes.readUInt32LE(0) !== 4) return null
  const headerSize = bytes.readUInt32LE(4)
  const jsonLength = bytes.readUInt32LE(12)
  if (jsonLength > headerSize || 16 + jsonLength > bytes.length || bytes[16] !== 0x7b) return null
  const headerEnd = 8 + headerSize
  let tree: unknown
  try {
    tree = JSON.parse(bytes.toString('utf8', 16, 16 + jsonLength))
  } catch {
    return null
  }
  const entries: AsarEntry[] = []
  let isWhole = true
  const pending: [string, unknown, number][] = [['', tree, 0]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [path, node, depth] = next
    if (!isRecord(node) || depth > 200) continue
    const { files, offset, size, unpacked } = node as Record<string, unknown>
    if (isRecord(files))
      for (const [name, child] of Object.entries(files))
        pending.push([path === '' ? name : `${path}/${name}`, child, depth + 1])
    else if (typeof offset === 'string' && typeof size === 'number' && unpacked !== true) {
      const start = headerEnd + Number(offset)
      isWhole &&= start + size <= bytes.length
      if (Number.isSafeInteger(start) && start >= 0 && start <= bytes.length)
        entries.push({ name: path, start, end: Math.min(bytes.length, start + size) })
    }
  }
  return { entries: entries.reverse(), headerEnd, isWhole }
}
