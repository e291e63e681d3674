import type { Container } from '../container.ts'

const mark = '!<arch>\n'
const headerBytes = 60

/** Static libraries and Debian packages. Tables of names and symbols are kept; a long name of BSD stays before its file. */
export const ar: Container = {
  recognises: (_, bytes) => bytes.toString('latin1', 0, mark.length) === mark,
  rewrite(_, bytes, change) {
    const parts: Buffer[] = [bytes.subarray(0, mark.length)]
    let isChanged = false
    for (let at = mark.length; at + headerBytes <= bytes.length; ) {
      const header = Buffer.from(bytes.subarray(at, at + headerBytes))
      const name = header.toString('latin1', 0, 16).trim()
      const size = Number(header.toString('latin1', 48, 58)) || 0
      const data = bytes.subarray(at + headerBytes, at + headerBytes + size)
      const isFile = data.length > 0 && name !== '//' && name !== '/' && !name.startsWith('#1/')
      const copy = isFile ? change({ name: name.replace(/\/$/, ''), kind: 'ar', bytes: data }) : null
      isChanged ||= copy !== null
      const content = copy ?? data
      header.write(String(content.length).padEnd(10), 48, 'latin1')
      parts.push(header, content, Buffer.alloc(content.length % 2, '\n'))
      at += headerBytes + size + (size % 2)
    }
    return isChanged ? Buffer.concat(parts) : null
  },
}
