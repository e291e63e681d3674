import { deflateRawSync, gzipSync } from 'node:zlib'
import type { CostlyFiles } from './costly-file.ts'

/** Files in encodings that the audit decodes, of any size, each made to cost a decoder more than it is worth. */

const key = 'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6'
const clue = 'x = "ac_" + "live_";\n'

function repeated(unit: string, size: number): string {
  return unit.repeat(Math.max(1, Math.ceil(size / unit.length)))
}

/** Encodes again and again, until there is enough. */
function nested(first: string, encode: (text: string) => string, size: number): string {
  let text = first
  while (text.length < size) text = encode(text)
  return text
}

const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64')
const hex = (content: string | Buffer) => Buffer.from(content).toString('hex')
const plain = (text: (size: number) => string, file = 'a.txt') => ({
  file,
  bytes: (size: number) => Buffer.from(text(size), 'latin1'),
})
const page = (text: (size: number) => string) => plain((size) => `<html>${text(size)}`, 'a.html')
const script = (text: (size: number) => string) => plain((size) => clue + text(size), 'a.js')

/** Lines as an encoder wraps them. */
function wrapped(text: string, lengths: readonly number[]): string {
  const lines: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = lengths[lines.length % lengths.length] ?? 76
    lines.push(text.slice(at, at + length))
    at += length
  }
  return lines.join('\n')
}

const wide = (text: string, order: 'little' | 'big', mark: boolean) => {
  const bytes = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le')
  return order === 'little' ? bytes : bytes.swap16()
}
const inUtf16 = (unit: string, order: 'little' | 'big', mark = true) => ({
  file: 'a.txt',
  bytes: (size: number) => wide(repeated(unit, size / 2), order, mark),
})

/** As much as a value may be when it is decoded. */
const zeros = Buffer.alloc(4 * 1024 * 1024 - 1)
const underMask = (text: string, mask: number) =>
  Buffer.from(Buffer.from(text).map((byte) => byte ^ mask)).toString('latin1')
const token = `${base64('{"alg":"HS256"}')}.${base64('{"a":"b"}')}.x`
const spread = (text: string) => [...text].join('<b></b>')

export const costlyEncodings: CostlyFiles = {
  // UTF-16.
  'keys in UTF-16': inUtf16(`${key} `, 'little'),
  'keys in UTF-16, the other way round': inUtf16(`${key} `, 'big'),
  'keys in UTF-16 without a mark': inUtf16(`${key} `, 'little', false),
  'escapes in UTF-16': inUtf16('\\u0061c_live_', 'little'),
  'base64 in UTF-16': inUtf16(base64('ac_live_x'), 'big'),

  // Base64 and hexadecimal, also around each other and around compressed data.
  'base64 in lines': plain((size) => wrapped(repeated(base64('ac_live_x'), size), [76])),
  'base64 in lines of two lengths': plain((size) => wrapped(repeated(base64('ac_live_x'), size), [64, 60])),
  'base64 in lines that end in a shorter one': plain((size) =>
    wrapped(repeated(base64('ac_live_x'), size), [64, 64, 64, 44]),
  ),
  'base64 in base64': plain((size) => nested(key, base64, size)),
  'hexadecimal in hexadecimal': plain((size) => nested(key, hex, size)),
  'much that is compressed, in base64': plain((size) => repeated(`"${base64(gzipSync(zeros))}"\n`, size)),
  'much that is compressed, in hexadecimal': plain((size) => repeated(`"${hex(gzipSync(zeros))}"\n`, size)),
  'much that is compressed without a head, in base64': plain((size) =>
    repeated(`"${base64(deflateRawSync(zeros))}"\n`, size),
  ),
  'compressed data that is cut off, in base64': plain((size) =>
    repeated(`"${base64(gzipSync(zeros)).slice(0, 400)}"\n`, size),
  ),
  'heads of compressed data in base64': plain((size) => repeated('"H4sIAAAAAAAAA', size)),

  // Lists of numbers.
  'numbers of a text': plain((size) => repeated(`${[...Buffer.from(key)].join()},`, size)),
  'numbers in lists': plain((size) => repeated(`[${[...Buffer.from(key)].join()}]\n`, size)),
  'numbers below zero': plain((size) => repeated('-97,-99,-95,', size)),
  'hexadecimal numbers': plain((size) => repeated('0x61,0x63,0x5f,', size)),
  'few numbers, and blanks': plain((size) => repeated(`${'1,'.repeat(14)}${' '.repeat(300)}`, size)),
  'numbers and blanks': plain((size) => repeated(`1${' '.repeat(40)},`, size)),

  // Escapes around escapes.
  'percent signs in percent signs': plain((size) => repeated('%25252561c_live_', size)),
  'percent signs that are escaped again and again': plain(
    (size) => `${'%25'.repeat(Math.ceil(size / 3))}61c_live_`,
  ),
  'entities in entities': page((size) => repeated('&amp;amp;amp;#97;c_live_', size)),
  'octal escapes': plain((size) => repeated('\\141c_live_', size)),
  'soft line ends of a mail': plain((size) => repeated('ac=5Flive=5F9fK2mPq7=\r\n', size), 'a.eml'),
  'values of properties that go on in the next line': plain(
    (size) => repeated('a.b=ac_\\u006cive_\\\n', size),
    'a.properties',
  ),
  'texts of an app': plain((size) => repeated(`"a" = "${key}";\n`, size), 'a.strings'),

  // Masks, and tokens.
  'tokens under masks': plain((size) =>
    Array.from({ length: Math.ceil(size / 60) }, (_, at) => underMask(token, (at % 200) + 1)).join(' '),
  ),
  'beginnings of tokens under masks': plain((size) => repeated(underMask('eyJv1/', 7), size)),
  'keys under masks': plain((size) =>
    Array.from({ length: Math.ceil(size / 32) }, (_, at) => underMask(key, (at % 200) + 1)).join(' '),
  ),
  'tokens of many parts': plain((size) => repeated(`${base64('{"alg":"none"}').replace('=', '')}.`, size)),
  'a token with a long header': plain((size) => `${base64(`{"alg":"${repeated('a', size)}"}`)}.e30.x`),

  // Texts that markup tears, or scripts send in pieces.
  'keys in elements': page((size) => repeated(`${spread(key)}\n`, size)),
  'keys in elements without a text': page((size) => repeated('ac_live_<b></b><wbr>', size)),
  'prefixes in elements that stay open': page((size) => repeated('a<b c', size)),
  'prefixes and comments': page((size) => repeated('ac_live_<!--', size)),
  'pieces that are sent to a page': page((size) =>
    repeated('<script>self.__next_f.push([1,"ac_\\"live_"])</script>', size),
  ),
  'pieces that are sent to a page, and stay open': page((size) => repeated('__next_f.push([1,"\\', size)),
  'data of property lists': plain(
    (size) => `<plist>${repeated(`<data>${base64(key)}</data>`, size)}`,
    'a.plist',
  ),
  'data of property lists that stay open': plain(
    (size) => `<plist>${key}${repeated('<data>AAAAAAAAAAAAAAAAAAAA', size)}`,
    'a.plist',
  ),

  // Scripts in addresses and maps, and what only mentions a key or the mint.
  'scripts in addresses of a page': page((size) =>
    repeated(`<a href='javascript:use("ac_"+"live_")'>`, size),
  ),
  'scripts in addresses of a script': script((size) =>
    repeated(`use("data:text/javascript;base64,${base64('use("ac_"+"live_")')}");`, size),
  ),
  'handlers in entities': page((size) => repeated(' onclick="use(&quot;ac_&quot;+&quot;live_&quot;)"', size)),
  'maps in the scripts of maps': script((size) =>
    nested(
      clue,
      (source) =>
        `//# sourceMappingURL=data:application/json;base64,${base64(JSON.stringify({ sources: ['a.js'], sourcesContent: [clue + source] }))}\n`,
      size,
    ),
  ),
  'prefixes that are compared': script((size) => repeated('if(k.startsWith("ac_live_"))use();', size)),
  'prefixes with a name that is compared': script((size) =>
    repeated('p="ac_live_";if(k.startsWith(p))use();', size),
  ),
  'sentences about the mint': plain(
    (size) => repeated('Tokens are issued at "https://a.example/v1/calling/token" for you. ', size),
    'a.md',
  ),
  'comments about the mint': plain((size) => repeated('// v1/calling/token of a\n', size), 'a.kt'),
}
