/** A tar archive for tests, as GNU tar writes it, without the blocks at its end. */
export function buildTar(files: Readonly<Record<string, Buffer>>): Buffer {
  return Buffer.concat(
    Object.entries(files).flatMap(([name, bytes]) => {
      const header = Buffer.alloc(512)
      header.write(name, 0, 100, 'latin1')
      header.write('0000644\0', 100, 'latin1')
      header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
      header.write('        0ustar\x0000', 148, 'latin1')
      const sum = header.reduce((total, byte) => total + byte, 0)
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
      return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
    }),
  )
}
