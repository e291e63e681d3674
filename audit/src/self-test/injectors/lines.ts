import { characterReferences, plain, textEncodings, unicodeEscapes } from '../encodings.ts'
import { type Injected, type Injector, none, refuseAll, spliced, textOf, type Wish } from '../injector.ts'

/** Formats whose files take another line, or another element, at a place that is easily found. */

const appending =
  (write: (text: string, index: number) => string) => (bytes: Buffer, wishes: readonly Wish[]) => ({
    bytes: Buffer.concat([
      bytes,
      Buffer.from(`\n${wishes.map((wish, at) => write(textOf(wish), at)).join('\n')}\n`),
    ]),
    refused: none,
  })

const isPropertyList = (bytes: Buffer) => /<!DOCTYPE plist|<plist/.test(head(bytes))
const head = (bytes: Buffer) => bytes.toString('utf8', 0, 2048).trimStart()

function isEnvironmentName(name: string): boolean {
  return /^\.env(?:\.|$)|\.env$/i.test(name)
}

export const environmentFile: Injector = {
  format: 'env',
  by: 'name',
  recognises: isEnvironmentName,
  slots: [{ slot: 'variable', encodings: textEncodings }],
  inject: appending((text, at) => `CANARY_${at}=${text}`),
}

export const stringsFile: Injector = {
  format: 'strings',
  by: 'contents',
  recognises: (name, bytes) =>
    /\.strings$/i.test(name) && !bytes.includes(0) && !head(bytes).startsWith('<') && !isPropertyList(bytes),
  slots: [{ slot: 'value', encodings: [...textEncodings, unicodeEscapes] }],
  inject: appending((text, at) => `"canary.${at}" = "${text.replaceAll('\\u', '\\U')}";`),
}

/** Text in UTF-16 with a byte order mark, as Xcode writes `.strings`. */
export const utf16Text: Injector = {
  format: 'UTF-16 text',
  by: 'mark',
  recognises: (name, bytes) =>
    bytes.length >= 2 && [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0)) && !isEnvironmentName(name),
  slots: [{ slot: 'line', encodings: textEncodings }],
  inject(bytes, wishes) {
    const lines = Buffer.from(wishes.map((wish) => `\n"canary" = "${textOf(wish)}";`).join(''), 'utf16le')
    return {
      bytes: Buffer.concat([bytes, bytes[0] === 0xff ? lines : lines.swap16()]),
      refused: none,
    }
  },
}

export const plainText: Injector = {
  format: 'text',
  by: 'contents',
  recognises: (_, bytes) =>
    bytes.length > 0 && !bytes.subarray(0, 65_536).includes(0) && !bytes.subarray(-4096).includes(0),
  slots: [{ slot: 'line', encodings: textEncodings }],
  inject: appending((text, at) => `canary${at}=${text}`),
}

export const html: Injector = {
  format: 'html',
  by: 'contents',
  recognises: (name, bytes) =>
    /^<(?:!doctype html|html|head|body|script)/i.test(head(bytes)) || /\.x?html?$/i.test(name),
  slots: [
    { slot: 'attribute', encodings: [...textEncodings, characterReferences] },
    { slot: 'text', encodings: [plain, characterReferences] },
    { slot: 'comment', encodings: [plain] },
    { slot: 'inline script', encodings: [plain] },
    { slot: 'inline script, concatenated', encodings: [plain] },
  ],
  inject(bytes, wishes) {
    const at = bytes.toString('latin1').search(/<\/body\s*>(?![\s\S]*<\/body)/i)
    const place = at === -1 ? bytes.length : at
    return {
      bytes: spliced(bytes, place, 0, Buffer.from(`${wishes.map(htmlOf).join('\n')}\n`)),
      refused: none,
    }
  },
}

function htmlOf(wish: Wish): string {
  const text = textOf(wish)
  if (wish.slot === 'attribute') return `<meta content="${text}">`
  if (wish.slot === 'text') return `<p>${text}</p>`
  if (wish.slot === 'comment') return `<!-- ${text} -->`
  if (wish.slot === 'inline script') return `<script>void "${text}"</script>`
  return `<script>void ("${text.slice(0, 6)}" + "${text.slice(6)}")</script>`
}

export const xmlPropertyList: Injector = {
  format: 'plist',
  by: 'contents',
  recognises: (_, bytes) => isPropertyList(bytes),
  slots: [{ slot: 'string', encodings: [...textEncodings, characterReferences] }],
  inject(bytes, wishes) {
    const place = bytes.lastIndexOf('</dict>')
    if (place === -1) return refuseAll(bytes, wishes, 'its root is no dictionary')
    const added = wishes
      .map((wish, at) => `<key>canary${at}</key><string>${textOf(wish)}</string>\n`)
      .join('')
    return { bytes: spliced(bytes, place, 0, Buffer.from(added)), refused: none }
  },
}

export const xml: Injector = {
  format: 'xml',
  by: 'contents',
  recognises: (_, bytes) => head(bytes).startsWith('<') && bytes.includes('</'),
  slots: [
    { slot: 'text', encodings: [...textEncodings, characterReferences] },
    { slot: 'attribute', encodings: [plain, characterReferences] },
    { slot: 'comment', encodings: [plain] },
  ],
  inject(bytes, wishes): Injected {
    const place = bytes.lastIndexOf('</')
    const added = wishes.map((wish) => {
      const text = textOf(wish)
      if (wish.slot === 'comment') return `<!-- ${text} -->`
      return wish.slot === 'text' ? `<canary>${text}</canary>` : `<canary value="${text}"/>`
    })
    return { bytes: spliced(bytes, place, 0, Buffer.from(`${added.join('\n')}\n`)), refused: none }
  },
}
