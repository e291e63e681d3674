import { isRecord } from '../../model/token.ts'
import { plain, textEncodings, unicodeEscapes } from '../encodings.ts'
import { type Injector, none, refuseAll, spliced, textOf } from '../injector.ts'
import { javascriptSlots, statementOf } from './javascript.ts'

const beginsAsJson = (bytes: Buffer) => /^\s*[{[]/.test(bytes.toString('latin1', 0, 256))

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function isMap(value: unknown): value is Record<string, unknown> & { sources: unknown[] } {
  return isRecord(value) && Array.isArray(value['sources']) && typeof value['mappings'] === 'string'
}

/** Another source with its contents; the mappings do not speak of it, which the format allows. */
export const sourceMap: Injector = {
  format: 'source-map',
  by: 'name',
  recognises: (name, bytes) => (/\.map$/i.test(name) || bytes.includes('"mappings"')) && isMap(parsed(bytes)),
  slots: javascriptSlots.filter(({ slot }) => slot !== 'comment'),
  inject(bytes, wishes) {
    const map = parsed(bytes)
    if (!isMap(map)) return refuseAll(bytes, wishes, 'it does not parse')
    const given = Array.isArray(map['sourcesContent']) ? (map['sourcesContent'] as unknown[]) : []
    const contents = map.sources.map((_, index) => given[index] ?? null)
    map['sourcesContent'] = [...contents, wishes.map(statementOf).join('\n')]
    map.sources.push('canary.js')
    return { bytes: Buffer.from(JSON.stringify(map)), refused: none }
  },
}

export const json: Injector = {
  format: 'json',
  by: 'contents',
  recognises: (name, bytes) =>
    beginsAsJson(bytes) && !/\.[cm]?[jt]sx?$/i.test(name) && isCollection(parsed(bytes)),
  slots: [
    { slot: 'value', encodings: [...textEncodings, unicodeEscapes] },
    { slot: 'name', encodings: [plain] },
  ],
  inject(bytes, wishes) {
    const value = parsed(bytes)
    const place = bytes.lastIndexOf(Array.isArray(value) ? ']' : '}')
    const isEmpty = isCollection(value) && Object.keys(value).length === 0
    const added = wishes.map((wish, at) => {
      const text = textOf(wish)
      const [name, content] = wish.slot === 'name' ? [text, ''] : [`canary${at}`, text]
      return Array.isArray(value) ? `{"${name}":"${content}"}` : `"${name}":"${content}"`
    })
    return {
      bytes: spliced(bytes, place, 0, Buffer.from((isEmpty ? '' : ',') + added.join(','))),
      refused: none,
    }
  },
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
