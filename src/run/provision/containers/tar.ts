const blockBytes = 512

/** A tar archive (ustar) of small files that everybody may read: what an engine takes to put files into a container. */
export function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const folders = new Set<string>()
  for (const path of Object.keys(files)) {
    const parts = path.split('/').filter((part) => part !== '')
    for (let depth = 1; depth < parts.length; depth += 1) folders.add(`${parts.slice(0, depth).join('/')}/`)
  }
  const entries = [
    ...[...folders].map((path) => header(path, 0, '5', '0000755')),
    ...Object.entries(files).flatMap(([path, text]) => {
      const content = Buffer.from(text)
      const rest = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)
      return [header(path.replace(/^\/+/, ''), content.length, '0', '0000444'), content, rest]
    }),
  ]
  return Buffer.concat([...entries, Buffer.alloc(2 * blockBytes)])
}

function header(path: string, size: number, type: string, mode: string): Buffer {
  const block = Buffer.alloc(blockBytes)
  if (Buffer.byteLength(path) > 99) throw new RangeError('the path is too long for this archive')
  block.write(path, 0)
  block.write(`${mode}\0`, 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
