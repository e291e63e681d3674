import { createHash } from 'node:crypto'
import { isRecord } from '../../model/token.ts'
import type { Container, Member } from '../container.ts'

/** Electron's archive: a tree in JSON, then the files one after the other. Integrity hashes are made anew. */
export const asar: Container = {
  recognises: (_, bytes) => bytes.length > 20 && bytes.readUInt32LE(0) === 4 && bytes[16] === 0x7b,
  rewrite(_, bytes, change) {
    const length = bytes.readUInt32LE(12)
    const tree: unknown = JSON.parse(bytes.toString('utf8', 16, 16 + length))
    const base = 8 + bytes.readUInt32LE(4)
    const files = [...filesOf(tree, '')]
    const contents: Buffer[] = []
    let isChanged = false
    let at = 0
    for (const { name, node } of files.sort((a, b) => Number(a.node['offset']) - Number(b.node['offset']))) {
      const start = base + Number(node['offset'])
      const data = bytes.subarray(start, start + Number(node['size']))
      const member: Member = { name, kind: 'asar', bytes: data }
      const copy = data.length === 0 ? null : change(member)
      isChanged ||= copy !== null
      const content = copy ?? data
      node['offset'] = String(at)
      node['size'] = content.length
      if (copy !== null && isRecord(node['integrity'])) renew(node['integrity'], copy)
      contents.push(content)
      at += content.length
    }
    return isChanged ? Buffer.concat([headerOf(Buffer.from(JSON.stringify(tree))), ...contents]) : null
  },
}

function* filesOf(node: unknown, path: string): Generator<{ name: string; node: Record<string, unknown> }> {
  if (!isRecord(node)) return
  if (isRecord(node['files']))
    for (const [name, child] of Object.entries(node['files']))
      yield* filesOf(child, path === '' ? name : `${path}/${name}`)
  else if (typeof node['offset'] === 'string') yield { name: path, node }
}

function renew(integrity: Record<string, unknown>, content: Buffer): void {
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const blockSize = Number(integrity['blockSize']) || 4_194_304
  integrity['hash'] = hash(content)
  integrity['blocks'] = Array.from(
    { length: Math.max(1, Math.ceil(content.length / blockSize)) },
    (_, index) => hash(content.subarray(index * blockSize, (index + 1) * blockSize)),
  )
}

function headerOf(json: Buffer): Buffer {
  const padded = Math.ceil(json.length / 4) * 4
  const head = Buffer.alloc(16 + padded)
  for (const [index, value] of [4, padded + 8, padded + 4, json.length].entries())
    head.writeUInt32LE(value, index * 4)
  json.copy(head, 16)
  return head
}
