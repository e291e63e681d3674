import type { Container } from '../container.ts'

const headerBytes = 110
const up = (offset: number) => Math.ceil(offset / 4) * 4

/** The dialect of packages and ramdisks, with numbers in hexadecimal. A checksum of another dialect is made zero. */
export const cpio: Container = {
  recognises: (_, bytes) => /^07070[12][0-9a-fA-F]{104}/.test(bytes.toString('latin1', 0, headerBytes)),
  rewrite(_, bytes, change) {
    const parts: Buffer[] = []
    let isChanged = false
    let at = 0
    while (bytes.toString('latin1', at, at + 5) === '07070' && at + headerBytes <= bytes.length) {
      const header = Buffer.from(bytes.subarray(at, at + headerBytes))
      const number = (field: number) => Number.parseInt(header.toString('latin1', field, field + 8), 16) || 0
      const start = up(at + headerBytes + number(94))
      const end = start + number(54)
      const name = bytes.toString('utf8', at + headerBytes, start).replace(/\0.*$/s, '')
      const data = bytes.subarray(start, end)
      const copy = data.length > 0 ? change({ name, kind: 'cpio', bytes: data }) : null
      isChanged ||= copy !== null
      const content = copy ?? data
      header.write(content.length.toString(16).padStart(8, '0'), 54, 'latin1')
      if (copy !== null) header.write('070701', 0, 'latin1')
      parts.push(
        header,
        bytes.subarray(at + headerBytes, start),
        content,
        Buffer.alloc(up(content.length) - content.length),
      )
      at = up(end)
    }
    return isChanged ? Buffer.concat([...parts, bytes.subarray(at)]) : null
  },
}
