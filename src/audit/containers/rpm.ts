import type { OpeningOf, Parts } from './container-format.ts'
import type { Source } from './source.ts'

const mark = 0xedabeedb
const leadBytes = 96
const headerMark = 0x8eade801

/** A lead, two tables, and the files as one archive that is usually compressed. */
export const rpm: OpeningOf<'parts'> = {
  opens: 'parts',
  name: 'rpm',
  begins: [Buffer.from('edabeedb', 'hex')],
  read: readRpm,
  isHead: isRpm,
}

function isRpm(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32BE(0) === mark
}

function readRpm(source: Source): Parts | null {
  if (!isRpm(source.read(0, 4))) return null
  const cut = { entries: [], rest: [[0, source.size]], isWhole: false } as const
  const signatureEnd = tableEnd(source, leadBytes)
  if (signatureEnd === null) return cut
  const start = tableEnd(source, Math.ceil(signatureEnd / 8) * 8)
  if (start === null || start >= source.size) return cut
  return { entries: [{ name: 'payload', start, end: source.size }], rest: [[0, start]], isWhole: true }
}

/** A table says how many rows of sixteen bytes and how many bytes of values it has. */
function tableEnd(source: Source, start: number): number | null {
  const head = source.read(start, start + 16)
  if (head.length < 16 || head.readUInt32BE(0) !== headerMark) return null
  return start + 16 + head.readUInt32BE(8) * 16 + head.readUInt32BE(12)
}
