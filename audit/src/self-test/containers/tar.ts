import type { Container } from '../container.ts'

const block = 512

/** Regular files by their own headers; long names are in blocks of their own, which are kept. */
export const tar: Container = {
  recognises: (_, bytes) => bytes.length >= 2 * block && bytes.toString('latin1', 257, 262) === 'ustar',
  rewrite(_, bytes, change) {
    const parts: Buffer[] = []
    let isChanged = false
    let at = 0
    while (at + block <= bytes.length && bytes[at] !== 0) {
      const header = bytes.subarray(at, at + block)
      const size = Number.parseInt(header.toString('latin1', 124, 135), 8) || 0
      const data = bytes.subarray(at + block, at + block + size)
      at += block + Math.ceil(size / block) * block
      const isFile = size > 0 && [0, 0x30].includes(header[156] ?? 0)
      const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '')
      const copy = isFile ? change({ name, kind: 'tar', bytes: data }) : null
      isChanged ||= copy !== null
      const content = copy ?? data
      parts.push(
        headerFor(header, content.length),
        content,
        Buffer.alloc((block - (content.length % block)) % block),
      )
    }
    return isChanged ? Buffer.concat([...parts, bytes.subarray(at)]) : null
  },
}

function headerFor(header: Buffer, size: number): Buffer {
  const copy = Buffer.from(header)
  copy.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  copy.fill(0x20, 148, 156)
  const sum = copy.reduce((total, byte) => total + byte, 0)
  copy.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return copy
}
