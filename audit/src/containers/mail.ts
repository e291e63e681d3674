import { overLimit } from './compressed-file.ts'
import type { Member, OpeningOf } from './container-format.ts'

/** Mails, and pages that a browser saved as one: parts in quoted-printable or base64, such as an archive. */
const suffixes = ['.eml', '.mht', '.mhtml']

export const mail: OpeningOf<'members'> = {
  opens: 'members',
  name: 'mail',
  suffixes,
  read: (name, bytes, bound) =>
    suffixes.some((suffix) => name.toLowerCase().endsWith(suffix)) ? readParts(bytes, bound) : [],
}

const encoding = /^content-transfer-encoding:[ \t]*(base64|quoted-printable)[ \t]*\r?$/gim
const fileName = /[ \t;](?:file)?name="?([^"\r\n;]{1,200})/i
/** A letter or digit, `_` or `-` in quoted-printable. Ends of lines alone are read in the mail itself. */
const hiding = /=(?:2d|3[0-9]|[46][1-9a-f]|5[0-9af]|7[0-9a])/i
const mostHeaders = 8192
const mostParts = 1000

function* readParts(bytes: Buffer, bound: number): Generator<Member> {
  const text = bytes.toString('latin1')
  let count = 0
  for (const { 1: kind = '', index } of text.matchAll(encoding)) {
    const behind = text.slice(index, index + mostHeaders)
    const start = index + behind.search(/\r?\n\r?\n/)
    if (start < index) continue
    if (++count > mostParts) {
      yield { name: null, bytes: null, problem: overLimit }
      return
    }
    const next = text.indexOf('\n--', start)
    const body = text.slice(start, next === -1 ? text.length : next)
    const before = text.slice(Math.max(0, index - mostHeaders), index)
    // The headers of this part alone, on both sides.
    const headers = before.slice(before.lastIndexOf('\n--') + 1) + behind.slice(0, start - index)
    const name = `part ${count} ${fileName.exec(headers)?.[1] ?? ''}`.trimEnd()
    if (kind.toLowerCase() !== 'base64' && !hiding.test(body)) continue
    const decoded = kind.toLowerCase() === 'base64' ? Buffer.from(body, 'base64') : fromQuotedPrintable(body)
    yield decoded.length > bound ? { name, bytes: null, problem: overLimit } : { name, bytes: decoded }
  }
}

function fromQuotedPrintable(body: string): Buffer {
  const plain = body.replace(/=(?:\r?\n|([0-9a-f]{2}))/gi, (_, digits?: string) =>
    digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return Buffer.from(plain, 'latin1')
}
