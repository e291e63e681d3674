/**
 * How apps put a key together in scripts, as modules that hand it to a function `send`. Each is given the key, and writes
 * it so that no search of the bytes sees it whole.
 */
type Write = (key: string) => string

const q = JSON.stringify
const prefix = 'ac_live_'

/** Cuts a text into so many pieces of about one length. */
function cut(text: string, count: number): string[] {
  const size = Math.ceil(text.length / count)
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size))
}

const list = (pieces: readonly unknown[]) => `[${pieces.map((piece) => q(piece)).join(', ')}]`
const codes = (text: string) => [...text].map((char) => char.charCodeAt(0))
/** A text of which each character is masked by one of a word. */
const underWord = (text: string, word: string) =>
  String.fromCharCode(...codes(text).map((code, at) => code ^ word.charCodeAt(at % word.length)))
const rest = (key: string) => key.slice(prefix.length)
const half = (key: string) => Math.ceil(key.length / 2)
const backwards = (text: string) => [...text].reverse().join('')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')
const turned = (text: string, by: number) =>
  text.replace(/[a-z]/gi, (char) => {
    const first = char < 'a' ? 65 : 97
    return String.fromCharCode(((char.charCodeAt(0) - first + by + 26) % 26) + first)
  })

/** A text as numbers of 32 bits, the last of which is filled up. */
function wordsOf(text: string): number[] {
  const bytes = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4, '\0'))
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32BE(at * 4))
}

/** A calling token of a user. */
function tokenOf(userId: string): string {
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { userId, iat: 1893452400, exp: 1893456000 },
  ]
  const [header, payload] = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return `${header}.${payload}.dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXk4z`
}

/** Every other character, from the first or the second on. */
/** An object whose names are numbers, the last first. */
function placesOf(k: string): string {
  const pieces = cut(k, 4).map((piece, at) => `${at * 10}: ${q(piece)}`)
  return `{ ${pieces.reverse().join(', ')} }`
}

const every = (text: string, from: number) => [...text].filter((_, at) => at % 2 === from).join('')

const sums: Record<string, Write> = {
  'two constants': (k) =>
    `const head = ${q(k.slice(0, 6))}; const tail = ${q(k.slice(6))}; send(head + tail)`,
  'three variables': (k) => `let a = 'ac_'; let b = 'live_'; let c = ${q(rest(k))}; send(a + b + c)`,
  'a template': (k) => `const kind = 'live'; const id = ${q(rest(k))}; send(\`ac_\${kind}_\${id}\`)`,
  'added to in place': (k) =>
    `let key = 'ac'; key += '_'; key += 'live'; key += '_'; key += ${q(rest(k))}; send(key)`,
  'a chain of concat': (k) => `send('ac_'.concat('live', '_').concat(${q(rest(k))}))`,
  'concat of an empty text': (k) =>
    `const env = 'live'; send(''.concat('ac_').concat(env, '_').concat(${q(rest(k))}))`,
  'single characters': (k) => `send(${[...k].map((char) => q(char)).join(' + ')})`,
  'a sum in a bearer header': (k) =>
    `const p = 'ac_li', s = ${q(k.slice(5))}; send({ headers: { Authorization: 'Bearer ' + p + s } }.headers.Authorization.slice(7))`,
  'a ternary of environments': (k) =>
    `const isProd = location.hostname !== 'localhost'; send((isProd ? 'ac_live_' : 'ac_test_') + ${q(rest(k))})`,
  'a default that is or-ed': (k) =>
    `const settings = {}; const start = settings.prefix || 'ac_live'; send(start + '_' + ${q(rest(k))})`,
  'a default by nullish': (k) =>
    `const given = globalThis.missing; send((given ?? 'ac_') + (given ?? 'live_') + ${q(rest(k))})`,
  'numbers in between': (k) => {
    const digits = /\d+/.exec(rest(k)) as RegExpExecArray
    const at = prefix.length + digits.index
    return `const n = Number(${q(digits[0])}); send('ac_' + 'live_' + ${q(k.slice(8, at))} + n + ${q(k.slice(at + digits[0].length))})`
  },
  'a condition that picks': (k) =>
    `let p; if (location.hostname === 'dev.example') { p = 'ac_test_' } else { p = 'ac_live_' } send(p + ${q(rest(k))})`,
}

const lists: Record<string, Write> = {
  'join of pieces': (k) => `send(${list(cut(k, 5))}.join(''))`,
  'join by underscores': (k) => `send(['ac', 'live', ${q(rest(k))}].join('_'))`,
  'join of a variable': (k) => `const parts = ${list(cut(k, 4))}; send(parts.join(''))`,
  'join of reversed pieces': (k) => `send(${list(cut(k, 4).reverse())}.reverse().join(''))`,
  'reversed text': (k) => `send(${q(backwards(k))}.split('').reverse().join(''))`,
  'reversed by a spread': (k) => `send([...${q(backwards(k))}].reverse().join(''))`,
  'reversed by reduce': (k) => `send([...${q(backwards(k))}].reduce((all, char) => char + all, ''))`,
  'reversed by reduceRight': (k) =>
    `send([...${q(backwards(k))}].reduceRight((all, char) => all + char, ''))`,
  'reversed in two pieces': (k) => {
    const [a = '', b = ''] = cut(backwards(k), 2)
    return `const turn = (text) => text.split('').reverse().join(''); send(turn(${q(b)}) + turn(${q(a)}))`
  },
  reduce: (k) => `send(${list(cut(k, 5))}.reduce((all, part) => all + part, ''))`,
  'reduce with concat': (k) => `send(${list(cut(k, 5))}.reduce(function (a, b) { return a.concat(b) }))`,
  'flat of nested lists': (k) => {
    const [a, b, c, d] = cut(k, 4)
    return `send([[${q(a)}, ${q(b)}], [${q(c)}, ${q(d)}]].flat().join(''))`
  },
  'flat to any depth': (k) => {
    const [a, b, c, d] = cut(k, 4)
    return `send([${q(a)}, [${q(b)}, [${q(c)}, [${q(d)}]]]].flat(Infinity).join(''))`
  },
  flatMap: (k) => {
    const [a, b, c, d] = cut(k, 4)
    return `send([{ parts: [${q(a)}, ${q(b)}] }, { parts: [${q(c)}, ${q(d)}] }].flatMap((one) => one.parts).join(''))`
  },
  'map of objects': (k) =>
    `send(${list(cut(k, 4).map((value) => ({ value })))}.map(({ value }) => value).join(''))`,
  'sorted by an order': (k) => {
    const parts = cut(k, 4).map((text, order) => ({ order, text }))
    return `send(${list([parts[2], parts[0], parts[3], parts[1]])}.sort((a, b) => a.order - b.order).map((part) => part.text).join(''))`
  },
  'picked by indexes': (k) => {
    const [a, b, c, d] = cut(k, 4)
    return `const p = ${list([c, a, d, b])}; send([1, 3, 0, 2].map((at) => p[at]).join(''))`
  },
  'picked by hand': (k) => {
    const [a, b, c, d] = cut(k, 4)
    return `const p = ${list([c, a, d, b])}; send(p[1] + p[3] + p[0] + p[2])`
  },
  'filter out decoys': (k) =>
    `send(${list(cut(k, 4).flatMap((piece) => ['', piece]))}.filter(Boolean).join(''))`,
  'filter by a test': (k) =>
    `send(${list(cut(k, 4).flatMap((piece) => [piece, '#no']))}.filter((part) => !part.startsWith('#')).join(''))`,
  'push then join': (k) => {
    const [a, b, c] = cut(k, 3)
    return `const parts = []; parts.push(${q(a)}); parts.push(${q(b)}, ${q(c)}); send(parts.join(''))`
  },
  'unshift then join': (k) => {
    const [a, b] = cut(k, 2)
    return `const parts = [${q(b)}]; parts.unshift(${q(a)}); send(parts.join(''))`
  },
  'set by index': (k) => {
    const [a, b, c] = cut(k, 3)
    return `const parts = []; parts[0] = ${q(a)}; parts[2] = ${q(c)}; parts[1] = ${q(b)}; send(parts.join(''))`
  },
  'splice of a filler': (k) => {
    const [a, b] = cut(k, 2)
    return `const parts = [${q(a)}, 'x', ${q(b)}]; parts.splice(1, 1); send(parts.join(''))`
  },
  'shift and pop': (k) => {
    const [a, b] = cut(k, 2)
    return `const parts = [${q(a)}, ${q(b)}]; const tail = parts.pop(); send(parts.shift() + tail)`
  },
  'Array.of': (k) =>
    `send(Array.of(${cut(k, 3)
      .map((piece) => q(piece))
      .join()}).join(''))`,
  'Array.from with a map': (k) =>
    `const parts = ${list(cut(k, 4))}; send(Array.from({ length: parts.length }, (_, at) => parts[at]).join(''))`,
  'Array.from a set': (k) => `send(Array.from(new Set(${list(cut(k, 4))})).join(''))`,
  'spread of a set': (k) => `const parts = new Set(${list(cut(k, 4))}); send([...parts].join(''))`,
  'a set that is added to': (k) => {
    const [a, b] = cut(k, 2)
    return `const parts = new Set(); parts.add(${q(a)}); parts.add(${q(b)}); send([...parts].join(''))`
  },
  'spread of lists': (k) => {
    const [a, b, c] = cut(k, 3)
    return `const head = [${q(a)}], tail = [${q(b)}, ${q(c)}]; send([...head, ...tail].join(''))`
  },
  'concat of lists': (k) => {
    const [a, b, c] = cut(k, 3)
    return `send([${q(a)}].concat([${q(b)}], ${q(c)}).join(''))`
  },
  'slice of a list': (k) => `send(${list(['zz', ...cut(k, 3), 'yy'])}.slice(1, -1).join(''))`,
  'a text that is split and joined': (k) => `send(${q(k.replaceAll('_', '|'))}.split('|').join('_'))`,
  'columns of a text': (k) =>
    `send(${q(`id:${k.slice(0, 9)};tail:${k.slice(9)}`)}.split(';').map((pair) => pair.split(':')[1]).join(''))`,
  'two texts, zipped': (k) =>
    `const a = ${q(every(k, 0))}, b = ${q(every(k, 1))}; send([...a].map((char, at) => char + (b[at] ?? '')).join(''))`,
  'every second character': (k) =>
    `send(${q([...k].map((char) => `${char}~`).join(''))}.split('').filter((_, at) => at % 2 === 0).join(''))`,
  'Object.values': (k) => {
    const [a, b, c] = cut(k, 3)
    return `send(Object.values({ a: ${q(a)}, b: ${q(b)}, c: ${q(c)} }).join(''))`
  },
  'Object.entries': (k) => {
    const [a, b, c] = cut(k, 3)
    return `send(Object.entries({ a: ${q(a)}, b: ${q(b)}, c: ${q(c)} }).map(([, value]) => value).join(''))`
  },
  'Object.keys': (k) => {
    const [a, b] = cut(k, 2)
    return `send(Object.keys({ ${q(a)}: 1, ${q(b)}: 2 }).join(''))`
  },
  'an object of places, by its keys': (k) =>
    `const at = ${placesOf(k)}; let key = ''; for (const place of Object.keys(at)) key += at[+place]; send(key)`,
  'an object of places, by for-in': (k) =>
    `const at = ${placesOf(k)}; let key = ''; for (const place in at) key += at[place]; send(key)`,
  'an object of places, by its values': (k) => `send(Object.values(${placesOf(k)}).join(''))`,
  'Object.fromEntries': (k) => {
    const [a, b] = cut(k, 2)
    return `const c = Object.fromEntries([['head', ${q(a)}], ['tail', ${q(b)}]]); send(c.head + c.tail)`
  },
  'Object.assign': (k) => {
    const [a, b] = cut(k, 2)
    return `const c = Object.assign({}, { head: ${q(a)} }, { tail: ${q(b)} }); send(c.head + c.tail)`
  },
  'a map': (k) => {
    const [a, b] = cut(k, 2)
    return `const m = new Map([['a', ${q(a)}], ['b', ${q(b)}]]); send(m.get('a') + m.get('b'))`
  },
  'a map that is set': (k) => {
    const [a, b] = cut(k, 2)
    return `const m = new Map(); m.set('a', ${q(a)}).set('b', ${q(b)}); send(m.get('a') + m.get('b'))`
  },
  'values of a map': (k) => {
    const [a, b] = cut(k, 2)
    return `const m = new Map([[1, ${q(a)}], [2, ${q(b)}]]); send([...m.values()].join(''))`
  },
  'forEach into a name': (k) =>
    `let key = ''; ${list(cut(k, 4))}.forEach((part) => { key += part }); send(key)`,
  'Array.prototype.join.call': (k) => `send(Array.prototype.join.call(${list(cut(k, 3))}, ''))`,
  'at and with': (k) => {
    const [a, b] = cut(k, 2)
    return `const parts = [${q(a)}, 'x'].with(1, ${q(b)}); send(parts.at(0) + parts.at(-1))`
  },
}

const texts: Record<string, Write> = {
  'places with names': (k) =>
    `const fill = (text, values) => text.replace(/\\{(\\w+)\\}/g, (_, name) => values[name]); send(fill('ac_{stage}_{id}', { stage: 'live', id: ${q(rest(k))} }))`,
  'places with names in two braces': (k) =>
    `const t = (text, values) => text.replace(/\\{\\{\\s*(\\w+)\\s*\\}\\}/g, (_, name) => values[name]); send(t('ac_{{ stage }}_{{ id }}', { stage: 'live', id: ${q(rest(k))} }))`,
  'places in order': (k) =>
    `const format = (text, ...values) => text.replace(/%s/g, () => values.shift()); send(format('ac_%s_%s', 'live', ${q(rest(k))}))`,
  'places with a colon': (k) =>
    `const path = (text, values) => text.replace(/:([a-z]+)/g, (_, name) => values[name]); send(path('ac_:stage', { stage: 'live' }) + '_' + ${q(rest(k))})`,
  'parameters of a query that is added to': (k) => {
    const [a, b] = cut(k, 2)
    return `const query = new URLSearchParams(); query.append('k', ${q(a)}); query.append('k', ${q(b)}); send(query.getAll('k').join(''))`
  },
  'a loop over the parameters of a query': (k) => {
    const [a, b] = cut(k, 2)
    return `let key = ''; for (const [, part] of new URLSearchParams({ a: ${q(a)}, b: ${q(b)} })) key += part; send(key)`
  },
  'a method that texts are given': (k) =>
    `String.prototype.format = function () { const given = arguments; return this.replace(/\\{(\\d)\\}/g, (_, at) => given[at]) }; send('{0}_{1}_{2}'.format('ac', 'live', ${q(rest(k))}))`,
  'JSON with a reviver': (k) =>
    `let key = ''; JSON.parse(${q(JSON.stringify(cut(k, 3)))}, (_, part) => { if (typeof part === 'string') key += part; return part }); send(key)`,
  'a chain of replace': (k) =>
    `send(${q(k.replace('ac', 'XX').replace('live', 'YY'))}.replace('XX', 'ac').replace('YY', 'live'))`,
  'a template with marks': (k) =>
    `send('{0}_{1}_{2}'.replace('{0}', 'ac').replace('{1}', 'live').replace('{2}', ${q(rest(k))}))`,
  'replace of all dashes': (k) => `send(${q(k.replaceAll('_', '-'))}.replace(/-/g, '_'))`,
  replaceAll: (k) => `send(${q(k.replaceAll('_', '::'))}.replaceAll('::', '_'))`,
  'fillers between': (k) => `send(${q([...k].join('.'))}.replace(/\\./g, ''))`,
  'words between': (k) => `send(${q(cut(k, 5).join('NOPE'))}.replace(/NOPE/g, ''))`,
  'words between, split': (k) => `send(${q(cut(k, 5).join('NOPE'))}.split('NOPE').join(''))`,
  'replace by a function': (k) =>
    `const words = { a: 'ac', b: 'live' }; send(${q(`{a}_{b}_${rest(k)}`)}.replace(/\\{(\\w)\\}/g, (_, name) => words[name]))`,
  'replace with groups': (k) => {
    const [a = '', b = ''] = cut(k, 2)
    return `send(${q(`${b}|${a}`)}.replace(/^(.*)\\|(.*)$/, '$2$1'))`
  },
  'both cases swapped': (k) => {
    const swap = (text: string) =>
      text.replace(/[a-z]/gi, (char) => (char < 'a' ? char.toLowerCase() : char.toUpperCase()))
    return `send([...${q(swap(k))}].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join(''))`
  },
  'small letters of a prefix': (k) => `send('AC_LIVE_'.toLowerCase() + ${q(rest(k))})`,
  'trimmed and padded': (k) => `send('  ac'.trim() + '_live'.padEnd(6, '_') + ${q(rest(k))})`,
  'a slice of a longer text': (k) => `send(${q(`xx${k.slice(0, 7)}yy`)}.slice(2, -2) + ${q(k.slice(7))})`,
  'substr and substring': (k) =>
    `const t = ${q(`prefix:${k.slice(0, 10)}`)}; send(t.substring(7) + ${q(`${k.slice(10)}!!`)}.substr(0, ${k.length - 10}))`,
  'characters picked from an alphabet': (k) => {
    const alphabet = [...new Set(k)].sort().join('')
    return `const abc = ${q(alphabet)}; send(${list([...k].map((char) => alphabet.indexOf(char)))}.map((at) => abc[at]).join(''))`
  },
  'characters picked by charAt': (k) => {
    const alphabet = [...new Set(k)].sort().join('')
    return `const abc = ${q(alphabet)}; let key = ''; for (const at of ${list([...k].map((char) => alphabet.indexOf(char)))}) key += abc.charAt(at); send(key)`
  },
  'String.raw': (k) => `const id = ${q(rest(k))}; send(String.raw\`ac_\${'live'}_\${id}\`)`,
  'a tag that joins': (k) =>
    `const glue = (strings, ...values) => strings.reduce((all, text, at) => all + text + (values[at] ?? ''), ''); send(glue\`ac_\${'live'}_\${${q(rest(k))}}\`)`,
  'a tag that leaves out blanks': (k) =>
    `const tight = (strings) => strings.raw.join('').replace(/\\s+/g, ''); send(tight\`${cut(k, 4).join('\n  ')}\`)`,
  'interpolation by a function': (k) =>
    `const fill = (text, values) => text.replace(/%s/g, () => values.shift()); send(fill('%s_%s_%s', ['ac', 'live', ${q(rest(k))}]))`,
  'the path of an address': (k) =>
    `send(new URL('https://x.example/' + 'ac_' + 'live_' + ${q(rest(k))}).pathname.slice(1))`,
  'a query that is read': (k) =>
    `const query = new URLSearchParams(${q(`a=${k.slice(0, 9)}&b=${k.slice(9)}`)}); send(query.get('a') + query.get('b'))`,
  'JSON in a text': (k) => {
    const [a, b] = cut(k, 2)
    return `const c = JSON.parse(${q(JSON.stringify({ a, b }))}); send(c.a + c.b)`
  },
  'repeat and index': (k) =>
    `send('ac' + '_'.repeat(1) + 'evil'.split('').reverse().join('') + '_' + ${q(rest(k))})`,
  'words out of longer ones': (k) =>
    `const words = ['olive', 'face']; send(words[1].slice(1, 3) + '_' + words[0].substring(1) + ${q(`_${rest(k)}`)})`,
  'a word out of a number': (k) =>
    `send('ac_' + (${Number.parseInt('live', 36)}).toString(36) + ${q(`_${rest(k)}`)})`,
  'reversed between dots': (k) =>
    `send(${q(cut(backwards(k), 7).join('.'))}.split('.').join('').split('').reverse().join(''))`,
  'groups of a pattern': (k) =>
    `const [, ...parts] = /^([a-z]+)-([a-z]+)-(.+)$/.exec(${q(k.replaceAll('_', '-'))}); send(parts.join('_'))`,
  'named groups of a pattern': (k) =>
    `const { a, b, c } = /^(?<a>[a-z]+)-(?<b>[a-z]+)-(?<c>.+)$/.exec(${q(k.replaceAll('_', '-'))}).groups; send(\`\${a}_\${b}_\${c}\`)`,
  match: (k) => `send(${q(cut(k, 4).join(' '))}.match(/\\S+/g).join(''))`,
  'every two characters': (k) =>
    `send(${q(hex(k))}.match(/../g).map((pair) => String.fromCharCode(parseInt(pair, 16))).join(''))`,
}

const encodings: Record<string, Write> = {
  'digits of a number': (k) =>
    `let number = ${BigInt(`0x${hex(k)}`)}n, key = ''; for (; number > 0n; number >>= 8n) key = String.fromCharCode(Number(number & 255n)) + key; send(key)`,
  'rotated by 13, by a sign': (k) =>
    `const turn = (text) => text.replace(/[a-z]/gi, (c) => String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < 'n' ? 13 : -13))); send(turn(${q(turned(k, 13))}))`,
  'steps from code to code': (k) =>
    `let code = 0; send(${list(codes(k).map((one, at, all) => one - (all[at - 1] ?? 0)))}.map((step) => String.fromCharCode((code += step))).join(''))`,
  'codes that are multiplied': (k) =>
    `send(${list(codes(k).map((code) => code * 3))}.map((code) => String.fromCharCode(code / 3)).join(''))`,
  'codes in binary': (k) =>
    `send(${q(
      codes(k)
        .map((code) => code.toString(2).padStart(8, '0'))
        .join(' '),
    )}.split(' ').map((code) => String.fromCharCode(parseInt(code, 2))).join(''))`,
  'hex that is shifted': (k) =>
    `const read = (text, by) => { let all = ''; for (let i = 0; i < text.length; i += 2) all += String.fromCharCode(parseInt(text.substr(i, 2), 16) - by); return all }; send(read(${q(
      codes(k)
        .map((code) => (code + 7).toString(16))
        .join(''),
    )}, 7))`,
  'places in an alphabet': (k) => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_'
    return `const all = ${q(alphabet)}; const at = ${list([...k].map((char) => alphabet.indexOf(char)))}; send(at.map((one) => all[one]).join(''))`
  },
  'an alphabet that is turned around': (k) => {
    const all = 'abcdefghijklmnopqrstuvwxyz'
    const other = [...k].map((char) => (all.includes(char) ? all[25 - all.indexOf(char)] : char)).join('')
    return `const all = ${q(all)}; send([...${q(other)}].map((c) => { const at = all.indexOf(c); return at < 0 ? c : all[25 - at] }).join(''))`
  },
  'a script in base64 for eval': (k) => `send(eval(atob(${q(base64(`'ac_' + 'live_' + '${rest(k)}'`))})))`,
  'a view of 32-bit numbers': (k) =>
    `const words = ${list(wordsOf(k))}; const view = new DataView(new ArrayBuffer(words.length * 4)); words.forEach((word, at) => view.setUint32(at * 4, word)); send(new TextDecoder().decode(view.buffer).replace(/\\0/g, ''))`,
  'atob of pieces': (k) => `send(atob(${list(cut(base64(k), 3))}.join('')))`,
  'atob of each piece': (k) => `send(${list(cut(k, 3).map(base64))}.map(atob).join(''))`,
  'atob of each piece by a function': (k) =>
    `const d = (text) => atob(text); send(d(${q(base64(k.slice(0, 7)))}) + d(${q(base64(k.slice(7)))}))`,
  'atob reversed': (k) => `send(atob(${q(backwards(base64(k)))}.split('').reverse().join('')))`,
  'atob twice': (k) => `send(atob(atob(${q(base64(base64(k)))})))`,
  'window.atob': (k) => `send(window.atob(${q(base64(k).slice(0, 9))} + ${q(base64(k).slice(9))}))`,
  'Buffer from base64': (k) =>
    `send(Buffer.from(${q(base64(k).slice(0, 13))} + ${q(base64(k).slice(13))}, 'base64').toString('utf8'))`,
  'Buffer from hex': (k) => `send(Buffer.from(${list(cut(hex(k), 3))}.join(''), 'hex').toString())`,
  'Buffer from codes': (k) => `send(Buffer.from(${list(codes(k))}).toString())`,
  'Buffer.concat': (k) => {
    const [a, b] = cut(k, 2)
    return `send(Buffer.concat([Buffer.from(${q(a)}), Buffer.from(${q(b)})]).toString())`
  },
  'TextDecoder of codes': (k) => `send(new TextDecoder().decode(new Uint8Array(${list(codes(k))})))`,
  'TextDecoder of Uint8Array.of': (k) =>
    `send(new TextDecoder('utf-8').decode(Uint8Array.of(${codes(k).join()})))`,
  'TextDecoder of base64': (k) =>
    `const bytes = Uint8Array.from(atob(${q(base64(k))}), (char) => char.charCodeAt(0)); send(new TextDecoder().decode(bytes))`,
  'TextDecoder of two lists': (k) =>
    `const a = ${list(codes(k.slice(0, 5)))}, b = ${list(codes(k.slice(5)))}; send(new TextDecoder().decode(new Uint8Array([...a, ...b])))`,
  'a decoder that is kept': (k) =>
    `const decoder = new TextDecoder(); const bytes = new Uint8Array(${list(codes(k))}); send(decoder.decode(bytes))`,
  fromCharCode: (k) => `send(String.fromCharCode(${codes(k).join(', ')}))`,
  'fromCharCode spread': (k) => `const codes = ${list(codes(k))}; send(String.fromCharCode(...codes))`,
  'fromCharCode applied': (k) => `send(String.fromCharCode.apply(null, ${list(codes(k))}))`,
  'fromCharCode mapped': (k) => `send(${list(codes(k))}.map((code) => String.fromCharCode(code)).join(''))`,
  'fromCodePoint reduced': (k) =>
    `send(${list(codes(k))}.reduce((all, code) => all + String.fromCodePoint(code), ''))`,
  'fromCharCode of the prefix': (k) =>
    `send(String.fromCharCode(97, 99) + '_' + String.fromCharCode(108, 105, 118, 101) + '_' + ${q(rest(k))})`,
  'codes in hexadecimal': (k) =>
    `send(String.fromCharCode(${codes(k)
      .map((code) => `0x${code.toString(16)}`)
      .join()}))`,
  'codes in a text': (k) =>
    `send(${q(codes(k).join(' '))}.split(' ').map((code) => String.fromCharCode(+code)).join(''))`,
  'codes in a text, by Number': (k) =>
    `send(${q(codes(k).join('-'))}.split('-').map(Number).map((code) => String.fromCharCode(code)).join(''))`,
  'codes in base 36': (k) =>
    `send(${q(
      codes(k)
        .map((code) => code.toString(36))
        .join('.'),
    )}.split('.').map((code) => String.fromCharCode(parseInt(code, 36))).join(''))`,
  'codes shifted by one': (k) =>
    `send(${list(codes(k).map((code) => code + 1))}.map((code) => String.fromCharCode(code - 1)).join(''))`,
  'text shifted by three': (k) =>
    `send(${q(String.fromCharCode(...codes(k).map((code) => code + 3)))}.split('').map((char) => String.fromCharCode(char.charCodeAt(0) - 3)).join(''))`,
  'text shifted in a loop': (k) =>
    `const t = ${q(String.fromCharCode(...codes(k).map((code) => code + 2)))}; let key = ''; for (let i = 0; i < t.length; i++) key += String.fromCharCode(t.charCodeAt(i) - 2); send(key)`,
  'codes under xor': (k) =>
    `send(${list(codes(k).map((code) => code ^ 42))}.map((code) => String.fromCharCode(code ^ 42)).join(''))`,
  'text under xor': (k) =>
    `const t = ${q(String.fromCharCode(...codes(k).map((code) => code ^ 5)))}; send([...t].map((char) => String.fromCharCode(char.charCodeAt(0) ^ 5)).join(''))`,
  'base64 under xor': (k) =>
    `send([...atob(${q(base64(String.fromCharCode(...codes(k).map((code) => code ^ 23))))})].map((char) => String.fromCharCode(char.charCodeAt(0) ^ 23)).join(''))`,
  'xor with a password': (k) => {
    const password = 'twilight'
    const hidden = codes(k).map((code, at) => code ^ password.charCodeAt(at % password.length))
    return `const pass = ${q(password)}; const data = ${list(hidden)}; send(data.map((code, at) => String.fromCharCode(code ^ pass.charCodeAt(at % pass.length))).join(''))`
  },
  'base64 under xor with a word, in a loop': (k) =>
    `const word = 'blue-whale'; function open(text) { const hidden = atob(text); let out = ''; for (let i = 0; i < hidden.length; i++) out += String.fromCharCode(hidden.charCodeAt(i) ^ word.charCodeAt(i % word.length)); return out } send(open(${q(base64(underWord(k, 'blue-whale')))}))`,
  'hex under xor with a word': (k) =>
    `const word = 's3cr3t'; const open = (h) => h.match(/.{2}/g).map((x, i) => String.fromCharCode(parseInt(x, 16) ^ word.charCodeAt(i % word.length))).join(''); send(open(${q(hex(underWord(k, 's3cr3t')))}))`,
  'xor of two lists': (k) => {
    const pad = codes(k).map((_, at) => (at * 37 + 11) & 127)
    return `const a = ${list(codes(k).map((code, at) => code ^ (pad[at] ?? 0)))}; const b = ${list(pad)}; send(String.fromCharCode(...a.map((code, at) => code ^ b[at])))`
  },
  'rotated by 13': (k) =>
    `send(${q(turned(k, 13))}.replace(/[a-zA-Z]/g, (c) => String.fromCharCode((c <= 'Z' ? 90 : 122) >= (c = c.charCodeAt(0) + 13) ? c : c - 26)))`,
  'percent escapes': (k) => `send(decodeURIComponent(${q([...k].map((char) => `%${hex(char)}`).join(''))}))`,
  'percent escapes of marks': (k) => `send(decodeURIComponent(${q(k.replaceAll('_', '%5F'))}))`,
  unescape: (k) => `send(unescape(${q([...k].map((char) => `%u00${hex(char)}`).join(''))}))`,
  'hex by a loop': (k) =>
    `const h = ${q(hex(k))}; let key = ''; for (let i = 0; i < h.length; i += 2) key += String.fromCharCode(parseInt(h.slice(i, i + 2), 16)); send(key)`,
  'escapes of the language': (k) =>
    `const a = "${[...k.slice(0, 12)].map((char) => `\\x${hex(char)}`).join('')}"; send(a + ${q(k.slice(12))})`,
  'numbers of 32 bits': (k) => {
    return `send(${list(wordsOf(k))}.map((word) => String.fromCharCode(word >>> 24, (word >> 16) & 255, (word >> 8) & 255, word & 255)).join('').replace(/\\0+$/, ''))`
  },
  'JSON in base64': (k) => {
    const [a, b] = cut(k, 2)
    return `const c = JSON.parse(atob(${q(base64(JSON.stringify({ a, b })))})); send(c.a + c.b)`
  },
  'a typed array that is filled': (k) =>
    `const bytes = new Uint8Array(${k.length}); const from = ${list(codes(k))}; for (let i = 0; i < from.length; i++) bytes[i] = from[i]; send(String.fromCharCode(...bytes))`,
  'a typed array that is set': (k) =>
    `const bytes = new Uint8Array(${k.length}); bytes.set(${list(codes(k.slice(0, 4)))}); bytes.set(${list(codes(k.slice(4)))}, 4); send(new TextDecoder().decode(bytes))`,
}

const classes: Record<string, Write> = {
  'a proxy of a function': (k) =>
    `const glue = new Proxy(function () {}, { apply: (_, self, parts) => parts.join('') }); send(glue('ac_', 'live_', ${q(rest(k))}))`,
  'an object with descriptors': (k) =>
    `const key = Object.create({ head: 'ac_live_' }, { tail: { value: ${q(rest(k))} } }); send(key.head + key.tail)`,
  'a valueOf method': (k) => `const head = { valueOf: () => 'ac_live_' }; send(head + ${q(rest(k))})`,
  'a setter that adds': (k) =>
    `const key = { text: '', set part(more) { this.text += more } }; key.part = 'ac_'; key.part = 'live_'; key.part = ${q(rest(k))}; send(key.text)`,
  'an iterable class': (k) =>
    `class Parts { *[Symbol.iterator]() { yield 'ac_'; yield 'live_'; yield ${q(rest(k))} } } send([...new Parts()].join(''))`,
  'private members': (k) =>
    `class Client { #head = 'ac_'; #kind = 'live_'; #id = ${q(rest(k))}; get key() { return this.#head + this.#kind + this.#id } } send(new Client().key)`,
  'a private method': (k) =>
    `class Client { #part(at) { return ${list(cut(k, 3))}[at] } key() { return this.#part(0) + this.#part(1) + this.#part(2) } } send(new Client().key())`,
  'private static members': (k) =>
    `class Keys { static #a = ${q(k.slice(0, 5))}; static #b = ${q(k.slice(5))}; static get() { return Keys.#a + Keys.#b } } send(Keys.get())`,
  'static members': (k) =>
    `class Config { static HEAD = 'ac_live'; static TAIL = ${q(rest(k))} } send(Config.HEAD + '_' + Config.TAIL)`,
  'a static block': (k) =>
    `class Config { static key; static { const parts = ${list(cut(k, 3))}; this.key = parts.join('') } } send(Config.key)`,
  'a static block with the name': (k) =>
    `class Config { static key = ''; static { for (const part of ${list(cut(k, 3))}) Config.key += part } } send(Config.key)`,
  'static members of this': (k) =>
    `class Config { static a = ${q(k.slice(0, 6))}; static b = this.a + ${q(k.slice(6))} } send(Config.b)`,
  'fields set by a constructor': (k) =>
    `class Client { constructor(head, tail) { this.head = head; this.tail = tail } key() { return this.head + this.tail } } send(new Client(${q(k.slice(0, 6))}, ${q(k.slice(6))}).key())`,
  'a builder': (k) =>
    `class Builder { text = ''; add(part) { this.text += part; return this } build() { return this.text } } send(new Builder().add('ac_').add('live_').add(${q(rest(k))}).build())`,
  'a class that extends': (k) =>
    `class Base { prefix() { return 'ac_live_' } } class Live extends Base { key() { return this.prefix() + ${q(rest(k))} } } send(new Live().key())`,
  'a call of super': (k) =>
    `class Base { key() { return ${q(rest(k))} } } class Live extends Base { key() { return 'ac_' + 'live_' + super.key() } } send(new Live().key())`,
  'a getter of an object': (k) =>
    `const config = { head: 'ac_live', get key() { return this.head + '_' + ${q(rest(k))} } }; send(config.key)`,
  'a getter by defineProperty': (k) =>
    `const config = {}; Object.defineProperty(config, 'key', { get: () => ['ac', 'live', ${q(rest(k))}].join('_') }); send(config.key)`,
  'methods of a prototype': (k) =>
    `function Client() { this.head = 'ac_li' } Client.prototype.key = function () { return this.head + ${q(k.slice(5))} }; send(new Client().key())`,
  'a toString method': (k) =>
    `const key = { toString() { return ${list(cut(k, 3))}.join('') } }; send(\`\${key}\`)`,
  'a singleton': (k) =>
    `class Store { static #one; static get one() { return (Store.#one ??= new Store()) } parts = ${list(cut(k, 3))}; key() { return this.parts.join('') } } send(Store.one.key())`,
  'a symbol as a name': (k) =>
    `const HEAD = Symbol('head'); const c = { [HEAD]: 'ac_live_', tail: ${q(rest(k))} }; send(c[HEAD] + c.tail)`,
}

const flows: Record<string, Write> = {
  'a callback that answers': (k) =>
    `let key = ''; ${list(cut(k, 3))}.every((part) => { key += part; return true }); send(key)`,
  'a generator that is answered': (k) =>
    `function* parts() { const head = yield 'ac_'; yield head + 'live_' } const it = parts(); it.next(); send(it.next('ac_').value + ${q(rest(k))})`,
  'a text that is thrown': (k) =>
    `let key; try { throw 'ac_live_' } catch (head) { key = head + ${q(rest(k))} } send(key)`,
  'an enumeration by numbers': (k) =>
    `const Part = {}; (function (all) { all[all['ac_'] = 0] = 'ac_'; all[all['live_'] = 1] = 'live_' })(Part); send(Part[0] + Part[1] + ${q(rest(k))})`,
  'a generator': (k) =>
    `function* parts() { ${cut(k, 4)
      .map((piece) => `yield ${q(piece)}`)
      .join('; ')} } send([...parts()].join(''))`,
  'a generator in a loop': (k) =>
    `function* parts() { ${cut(k, 4)
      .map((piece) => `yield ${q(piece)}`)
      .join('; ')} } let key = ''; for (const part of parts()) key += part; send(key)`,
  'a generator of a generator': (k) => {
    const [a, b, c] = cut(k, 3)
    return `function* head() { yield ${q(a)}; yield ${q(b)} } function* all() { yield* head(); yield ${q(c)} } send(Array.from(all()).join(''))`
  },
  'a generator of a generator, for old browsers': (k) => {
    const [a, b, c] = cut(k, 3)
    const delegate =
      "(value) => { var obj = value[known('asyncIterator')], isAwait = false, method, it = {}; return obj == null ? (obj = value[known('iterator')](), method = (k) => it[k] = (x) => obj[k](x)) : (obj = obj.call(value), method = (k) => it[k] = (v) => { if (isAwait) { isAwait = false; return v } isAwait = true; return { done: false, value: new Promise((ok) => ok(obj[k](v))) } }), it[known('iterator')] = () => it, method('next'), it }"
    return `var known = (name) => Symbol[name] ? Symbol[name] : Symbol.for('Symbol.' + name), each = ${delegate}; function* head() { yield ${q(a)}; yield ${q(b)} } function* all() { yield* each(head()); yield ${q(c)} } send(Array.from(all()).join(''))`
  },
  'a generator by next': (k) => {
    const [a, b] = cut(k, 2)
    return `function* parts() { yield ${q(a)}; yield ${q(b)} } const it = parts(); send(it.next().value + it.next().value)`
  },
  'an iterable object': (k) =>
    `const keys = { *[Symbol.iterator]() { ${cut(k, 3)
      .map((piece) => `yield ${q(piece)}`)
      .join('; ')} } }; send([...keys].join(''))`,
  'async functions': (k) => {
    const [a, b] = cut(k, 2)
    return `async function head() { return ${q(a)} } async function tail() { return ${q(b)} } async function main() { const one = await head(); send(one + (await tail())) } main()`
  },
  'Promise.all': (k) =>
    `Promise.all(${list(cut(k, 3))}.map((part) => Promise.resolve(part))).then((parts) => send(parts.join('')))`,
  'Promise.all, awaited': (k) => {
    const [a, b] = cut(k, 2)
    return `const main = async () => { const [x, y] = await Promise.all([Promise.resolve(${q(a)}), Promise.resolve(${q(b)})]); send(x + y) }; main()`
  },
  'promises in a chain': (k) => {
    const [a, b] = cut(k, 2)
    return `Promise.resolve(${q(a)}).then((head) => head + ${q(b)}).then((key) => send(key))`
  },
  'a callback': (k) => {
    const [a, b] = cut(k, 2)
    return `function withHead(done) { done(${q(a)}) } withHead((head) => send(head + ${q(b)}))`
  },
  'a switch': (k) =>
    `function part(at) { switch (at) { ${cut(k, 3)
      .map((piece, at) => `case ${at}: return ${q(piece)}`)
      .join('; ')} } } send(part(0) + part(1) + part(2))`,
  'a labelled switch in a loop': (k) => {
    const [a, b, c] = cut(k, 3)
    return `let key = '', state = 2; loop: while (true) { switch (state) { case 0: key += ${q(c)}; break loop; case 1: key += ${q(b)}; state = 0; break; case 2: key += ${q(a)}; state = 1; continue loop } } send(key)`
  },
  'a flow that is flattened': (k) => {
    const [a, b, c] = cut(k, 3)
    return `function key() { const order = '2|0|1'.split('|'); let at = 0, text = ''; for (;;) { switch (order[at++]) { case '0': text += ${q(b)}; continue; case '1': text += ${q(c)}; continue; case '2': text += ${q(a)}; continue } break } return text } send(key())`
  },
  'a for loop': (k) =>
    `const parts = ${list(cut(k, 4))}; let key = ''; for (let i = 0; i < parts.length; i++) { key += parts[i] } send(key)`,
  'a loop backwards': (k) =>
    `const parts = ${list(cut(k, 4).reverse())}; let key = ''; for (let i = parts.length - 1; i >= 0; i--) key += parts[i]; send(key)`,
  'a while loop that shifts': (k) =>
    `const parts = ${list(cut(k, 4))}; let key = ''; while (parts.length) key += parts.shift(); send(key)`,
  'a for-in loop': (k) => {
    const [a, b, c] = cut(k, 3)
    return `const parts = { a: ${q(a)}, b: ${q(b)}, c: ${q(c)} }; let key = ''; for (const name in parts) key += parts[name]; send(key)`
  },
  'a loop over entries': (k) =>
    `let key = ''; for (const [at, part] of ${list(cut(k, 3))}.entries()) key += at >= 0 ? part : ''; send(key)`,
  'a try with a finally': (k) => {
    const [a, b] = cut(k, 2)
    return `let key = ''; try { key = ${q(a)} } finally { key += ${q(b)} } send(key)`
  },
  'a catch that gives the rest': (k) => {
    const [a, b] = cut(k, 2)
    return `function key() { let text = ${q(a)}; try { throw new Error('no') } catch { text += ${q(b)} } return text } send(key())`
  },
  'a recursion': (k) =>
    `const parts = ${list(cut(k, 4))}; const all = (at) => (at < parts.length ? parts[at] + all(at + 1) : ''); send(all(0))`,
  'an immediate function': (k) =>
    `send((function () { const a = ${q(k.slice(0, 4))}; const b = ${q(k.slice(4))}; return a + b })())`,
  'an immediate function with arguments': (k) =>
    `send(((a, b, c) => \`\${a}_\${b}_\${c}\`)('ac', 'live', ${q(rest(k))}))`,
  currying: (k) => `const join = (a) => (b) => (c) => a + b + c; send(join('ac_')('live_')(${q(rest(k))}))`,
  closures: (k) =>
    `const holder = (value) => ({ get: () => value }); const a = holder(${q(k.slice(0, 6))}), b = holder(${q(k.slice(6))}); send(a.get() + b.get())`,
  'a memoized function': (k) =>
    `let cached; function key() { if (!cached) { cached = ${list(cut(k, 3))}.join('') } return cached } send(key())`,
  'default parameters': (k) =>
    `const key = (kind = 'live', id = ${q(rest(k))}) => \`ac_\${kind}_\${id}\`; send(key())`,
  'rest parameters': (k) =>
    `const glue = (...parts) => parts.join('_'); send(glue('ac', 'live', ${q(rest(k))}))`,
  'named parameters': (k) =>
    `function key({ kind, id, head = 'ac' }) { return [head, kind, id].join('_') } send(key({ kind: 'live', id: ${q(rest(k))} }))`,
  arguments: (k) =>
    `function glue() { return Array.prototype.slice.call(arguments).join('_') } send(glue('ac', 'live', ${q(rest(k))}))`,
  'destructured list': (k) => {
    const [a, b, c] = cut(k, 3)
    return `const [x, ...others] = ${list([a, b, c])}; send(x + others.join(''))`
  },
  'destructured object': (k) =>
    `const { auth: { head, tail } } = { auth: { head: ${q(k.slice(0, 6))}, tail: ${q(k.slice(6))} } }; send(head + tail)`,
  'spread objects': (k) =>
    `const base = { head: 'ac_live' }; const c = { ...base, tail: ${q(rest(k))} }; send(c.head + '_' + c.tail)`,
  'rest of an object': (k) =>
    `const { other, ...key } = { other: 1, head: 'ac_live_', tail: ${q(rest(k))} }; send(key.head + key.tail)`,
  'swapped names': (k) => {
    const [a, b] = cut(k, 2)
    return `let x = ${q(b)}, y = ${q(a)}; [x, y] = [y, x]; send(x + y)`
  },
  'bound functions': (k) =>
    `function glue(a, b) { return a + b } const live = glue.bind(null, 'ac_live_'); send(live(${q(rest(k))}))`,
  'called with a this': (k) =>
    `function key(tail) { return this.head + tail } send(key.call({ head: 'ac_live_' }, ${q(rest(k))}))`,
  'composed functions': (k) =>
    `const pipe = (...steps) => (value) => steps.reduce((all, step) => step(all), value); send(pipe((text) => 'live_' + text, (text) => 'ac_' + text)(${q(rest(k))}))`,
  'a table of functions': (k) =>
    `const parts = { head: () => 'ac_', kind: () => 'live_', id: () => ${q(rest(k))} }; send(parts.head() + parts['kind']() + parts.id())`,
  'a computed name': (k) =>
    `const env = 'live'; const c = { live_head: ${q(k.slice(0, 5))}, live_tail: ${q(k.slice(5))} }; send(c[\`\${env}_head\`] + c[env + '_tail'])`,
  'a table of environments': (k) =>
    `const keys = { test: { p: 'ac_test_', s: 'nope' }, live: { p: 'ac_live_', s: ${q(rest(k))} } }; const { p, s } = keys['live']; send(p + s)`,
  'an enumeration of TypeScript': (k) =>
    `var Part; (function (Part) { Part["Head"] = "ac_live_"; Part["Tail"] = ${q(rest(k))} })(Part || (Part = {})); send(Part.Head + Part.Tail)`,
  'a namespace of TypeScript': (k) =>
    `var Keys; (function (Keys) { Keys.head = "ac_live"; function make(id) { return Keys.head + "_" + id } Keys.make = make })(Keys || (Keys = {})); send(Keys.make(${q(rest(k))}))`,
  'text in comments of a function': (k) =>
    `const pieces = { a: ${q(k.slice(0, 3))}, b: ${q(k.slice(3, 8))}, c: ${q(k.slice(8))} }; const make = ({ a, b, c }) => a + b + c; send(make(pieces))`,
  'fields of this': (k) =>
    `const c = { a: ${q(k.slice(0, half(k)))}, b: ${q(k.slice(half(k)))}, key() { return this.a + this.b } }; send(c.key())`,
  'added to an object': (k) =>
    `const c = {}; c.head = 'ac_'; c.kind = 'live_'; c.id = ${q(rest(k))}; send(c.head + c.kind + c.id)`,
  'Reflect and proxies': (k) =>
    `const c = { head: 'ac_live_', id: ${q(rest(k))} }; send(Reflect.get(c, 'head') + Reflect.get(c, 'id'))`,
  'code for eval': (k) => `send(eval(${q(`'ac_' + 'live_' + ${q(rest(k))}`)}))`,
  'code for Function': (k) => `send(new Function(${q(`return ['ac', 'live', ${q(rest(k))}].join('_')`)})())`,
  'code for eval in a Function': (k) =>
    `send(new Function('return eval(' + ${q(q(`'ac_' + 'live_' + ${q(rest(k))}`))} + ')')())`,
}

const downlevelled: Record<string, Write> = {
  'a template of TypeScript': (k) =>
    `var kind = "live"; var id = ${q(rest(k))}; send("ac_".concat(kind, "_").concat(id))`,
  'a tagged template of TypeScript': (k) =>
    `var __makeTemplateObject = (this && this.__makeTemplateObject) || function (cooked, raw) { if (Object.defineProperty) { Object.defineProperty(cooked, "raw", { value: raw }); } else { cooked.raw = raw; } return cooked; }; var glue = function (strings) { var values = []; for (var _i = 1; _i < arguments.length; _i++) { values[_i - 1] = arguments[_i]; } return strings.map(function (s, i) { return s + (values[i] || ""); }).join(""); }; var t; send(glue(t || (t = __makeTemplateObject(["ac_", "_", ""], ["ac_", "_", ""])), "live", ${q(rest(k))}))`,
  'a tagged template of Babel': (k) =>
    `function _taggedTemplateLiteral(e, t) { return t || (t = e.slice(0)), Object.freeze(Object.defineProperties(e, { raw: { value: Object.freeze(t) } })) } var _t; var glue = function (s) { for (var n = arguments.length, v = new Array(n > 1 ? n - 1 : 0), k = 1; k < n; k++) v[k - 1] = arguments[k]; return s.reduce(function (a, b, i) { return a + b + (v[i] || "") }, "") }; send(glue(_t || (_t = _taggedTemplateLiteral(["ac_", "_", ""])), "live", ${q(rest(k))}))`,
  'a spread of TypeScript': (k) =>
    `var __spreadArray = (this && this.__spreadArray) || function (to, from, pack) { return to.concat(Array.prototype.slice.call(from)); }; var a = ['ac', 'live']; send(__spreadArray(__spreadArray([], a, true), [${q(rest(k))}], false).join('_'))`,
  'private members of TypeScript': (k) =>
    `var _a, _b; class Client { constructor() { _a.set(this, 'ac_live_'); _b.set(this, ${q(rest(k))}) } key() { return __classPrivateFieldGet(this, _a, "f") + __classPrivateFieldGet(this, _b, "f") } } _a = new WeakMap(), _b = new WeakMap(); var __classPrivateFieldGet = function (receiver, state, kind, f) { return state.get(receiver) }; send(new Client().key())`,
  'a module of an eval build': (k) =>
    `var modules = { "./src/config.js": (module, exports, require) => { eval(${q(`var head = 'ac_live'; exports.key = head + '_' + ${q(rest(k))};\n\n//# sourceURL=webpack://app/./src/config.js?`)}) } }; var e = {}; modules["./src/config.js"]({}, e, null); send(e.key)`,
}

const jwts: Record<string, Write> = {
  'base64 of a token, in pieces': (k) => {
    const [a, b] = cut(base64(tokenOf(k)), 2)
    return `send(atob(${q(a)} + ${q(b)}))`
  },
  'a token that is turned around': (k) => `send(${q(backwards(tokenOf(k)))}.split('').reverse().join(''))`,
  'a header and a payload, encoded in place': (k) =>
    `const encode = (value) => btoa(JSON.stringify(value)).replace(/=+$/, ''); const header = encode({ alg: 'HS256', typ: 'JWT' }); const payload = encode({ userId: ${q(k)}, exp: 1893456000 }); send([header, payload, 'dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXk4z'].join('.'))`,
}

/** The environment is known when the app runs: of the prefixes and keys of all, the live ones are to be found. */
const environments: Record<string, Write> = {
  'a switch that returns': (k) =>
    `const env = location.hash; function head(e) { switch (e) { case 'dev': return 'ac_test_'; case 'prod': return 'ac_live_'; default: return '' } } send(head(env) + ${q(rest(k))})`,
  'a switch that assigns': (k) =>
    `let p; switch (location.hash) { case 'dev': p = 'ac_test_'; break; case 'prod': p = 'ac_live_'; break; default: p = '' } send(p + ${q(rest(k))})`,
  'a chain of conditions': (k) =>
    `const e = location.hash; const p = e === 'dev' ? 'ac_test_' : e === 'prod' ? 'ac_live_' : ''; send(p + ${q(rest(k))})`,
  'returns behind conditions': (k) =>
    `function head(e) { if (e === 'dev') return 'ac_test_'; if (e === 'prod') { return 'ac_live_' } return '' } send(head(location.hash) + ${q(rest(k))})`,
  'conditions behind else': (k) =>
    `let p = ''; const e = location.hash; if (e === 'dev') { p = 'ac_test_' } else if (e === 'stage') { p = 'ac_st_' } else if (e === 'prod') { p = 'ac_live_' } else { p = 'x' } send(p + ${q(rest(k))})`,
  'an object': (k) =>
    `const heads = { dev: 'ac_test_', stage: 'ac_st_', prod: 'ac_live_' }; send(heads[location.hash] + ${q(rest(k))})`,
  'an object of objects': (k) =>
    `const all = { dev: { p: 'ac_test_', s: 'abc' }, prod: { p: 'ac_live_', s: ${q(rest(k))} } }; const own = all[location.hash]; send(own.p + own.s)`,
  'an object with a default': (k) =>
    `const heads = { dev: 'ac_test_', prod: 'ac_live_' }; send((heads[location.hash] || heads.dev) + ${q(rest(k))})`,
  'an object in a template': (k) =>
    `const words = { development: 'test', production: 'live' }; send(\`ac_\${words[location.hash]}_${rest(k)}\`)`,
  'a list': (k) => `const heads = ['ac_test_', 'ac_live_']; send(heads[+location.hash] + ${q(rest(k))})`,
  'a list that is searched': (k) =>
    `const all = [{ n: 'dev', p: 'ac_test_', s: 'x' }, { n: 'prod', p: 'ac_live_', s: ${q(rest(k))} }]; const own = all.find((one) => one.n === location.hash); send(own.p + own.s)`,
  'a map': (k) =>
    `const heads = new Map([['dev', 'ac_test_'], ['prod', 'ac_live_']]); send(heads.get(location.hash) + ${q(rest(k))})`,
  'and with or': (k) =>
    `const p = (location.hash === 'dev' && 'ac_test_') || 'ac_live_'; send(p + ${q(rest(k))})`,
}

/** Marks inside of a key, so that no search finds it, which the script takes out. */
const separators: Record<string, Write> = {
  'a dash in the prefix': (k) => `send('ac_l-ive_'.replace('-', '') + ${q(rest(k))})`,
  'groups with dashes': (k) => `send(${q(cut(k, 9).join('-'))}.replaceAll('-', ''))`,
  'groups with blanks': (k) => `send(${q(cut(k, 9).join(' '))}.replace(/\\s+/g, ''))`,
  'groups with dots': (k) => `send(${q(cut(k, 9).join('.'))}.split('.').join(''))`,
  'everything that is no word': (k) => `send(${q(cut(k, 9).join('/'))}.replace(/[^\\w]/g, ''))`,
}

/** A body that is too long to be run whole, with what a library has at its end. */
const inLongBody = (library: string, use: string) =>
  `(() => { ${library}\n${Array.from({ length: 400 }, (_, at) => `function unused${at}() { return ${at} * 31 }`).join('\n')}\n${use} })()`

/** Libraries put the pieces together that they are given. */
const libraries: Record<string, Write> = {
  'a context and a memo of React': (k) =>
    `const react = { H: null }; const hooks = { createContext: (value) => ({ _currentValue: value }), useContext: (context) => react.H.useContext(context), useMemo: (make, of) => react.H.useMemo(make, of) }; const Stage = hooks.createContext('live'); function Call() { const stage = hooks.useContext(Stage), key = hooks.useMemo(() => ['ac', stage, ${q(rest(k))}].join('_'), [stage]); send(key) }`,
  'a state and a reference of React': (k) =>
    `const react = { H: null }; function Call() { const [stage] = react.H.useState('live'), id = react.H.useRef(${q(rest(k))}); send('ac_' + stage + '_' + id.current) }`,
  'a function that counts its parameters': (k) =>
    `const curry = (run, ...given) => given.length >= run.length ? run(...given) : (...more) => curry(run, ...given, ...more); const glue = curry((a, b, c) => a + '_' + b + '_' + c); function start() { send(glue('ac')('live')(${q(rest(k))})) }`,
  'functions that are made into one': (k) =>
    `const pipe = (...steps) => (value) => steps.reduce((before, step) => step(before), value); const prepend = (one) => (list) => [one, ...list]; const join = (by) => (list) => list.join(by); const glue = pipe(prepend('ac'), join('_')); const parts = ['live', ${q(rest(k))}]; function start() { send(glue(parts)) }`,
  'a copy of an object': (k) =>
    `const copy = structuredClone({ brand: 'ac', stage: 'live' }); copy.id = ${q(rest(k))}; send(Object.values(copy).join('_'))`,
  'a property that is taken away': (k) =>
    `const parts = { brand: 'ac', note: 'calls', stage: 'live', id: ${q(rest(k))} }; delete parts.note; send(Object.values(parts).join('_'))`,
  'a test for plain objects': (k) =>
    `const isPlain = (value) => { if (Object.prototype.toString.call(value) !== '[object Object]') return false; const proto = Object.getPrototypeOf(value); return proto === null || proto === Object.prototype }; const merge = (to, from) => { for (const name of Object.keys(from)) to[name] = isPlain(from[name]) ? merge(to[name] ?? {}, from[name]) : from[name]; return to }; const all = merge({ call: { brand: 'ac', stage: 'test' } }, { call: { stage: 'live', id: ${q(rest(k))} } }); send(Object.values(all.call).join('_'))`,
  'an optional method that is not there': (k) =>
    `const format = { plugin: undefined, join: (list) => list.join('_') }; const read = (list) => format.plugin?.join(list) ?? format.join(list); send(read(['ac', 'live', ${q(rest(k))}]))`,
  'a type of the language': (k) =>
    `const list = (value) => value instanceof Array ? value : [value]; const text = (value) => typeof value === 'symbol' ? '' : String(value); send([...list(['ac', 'live']), ...list(${q(rest(k))})].map(text).join('_'))`,
  'a class of lists': (k) =>
    `class Tuple extends Array { key() { return this.join('_') } } const parts = new Tuple('ac', 'live'); parts.push(${q(rest(k))}); send(parts.key())`,
  'a draft that a proxy keeps': (k) =>
    `const produce = (base, change) => { const copy = { ...base }; const { proxy, revoke } = Proxy.revocable(copy, { set(of, name, value) { of[name] = value; return true }, deleteProperty(of, name) { delete of[name]; return true } }); change(proxy); revoke(); return copy }; const made = produce({ brand: 'ac', note: 'x', stage: 'test' }, (draft) => { delete draft.note; draft.stage = 'live'; draft.id = ${q(rest(k))} }); send(Object.values(made).join('_'))`,
  'a template that is made a function': (k) =>
    `const template = (text) => Function('values', "with (values) { return '" + text.replace(/<%=([\\s\\S]+?)%>/g, "' + ($1) + '") + "' }"); send(template('<%= brand %>_<%= stage %>_<%= id %>')({ brand: 'ac', stage: 'live', id: ${q(rest(k))} }))`,
  'a pattern of many repetitions': (k) =>
    `const format = /^\\x25(?:([1-9]\\d*)\\$|\\(([^)]+)\\))?(\\+)?(0|'[^$])?(-)?(\\d+)?(?:\\.(\\d+))?([b-gijostTuvxX])/; const print = (text, ...given) => { let made = ''; while (text) { const place = format.exec(text); if (place) { made += given.shift(); text = text.slice(place[0].length) } else { made += text[0]; text = text.slice(1) } } return made }; send(print('%s_%s_%s', 'ac', 'live', ${q(rest(k))}))`,
  'a path that a pattern reads': (k) =>
    `const step = /[^.[\\]]+|\\[(?:(-?\\d+(?:\\.\\d+)?)|(["'])((?:(?!\\2)[^\\\\]|\\\\.)*?)\\2)\\]/g; const get = (of, path) => path.match(step).reduce((at, name) => at[name], of); const all = { call: { brand: 'ac', stage: 'live', id: ${q(rest(k))} } }; send([get(all, 'call.brand'), get(all, 'call.stage'), get(all, 'call.id')].join('_'))`,
  'methods that are added to a function later': (k) =>
    inLongBody(
      `function List() { this.parts = []; this.clear() } function clear() { this.parts = [] } function add(one) { this.parts.push(one); return this } function text() { return this.parts.join('_') } List.prototype.clear = clear; List.prototype.add = add; List.prototype.text = text;`,
      `function start() { send(new List().add('ac').add('live').add(${q(rest(k))}).text()) }`,
    ),
  'a module of objects': (k) =>
    `var make = (body, made) => () => (made || body((made = { exports: {} }).exports, made), made.exports); var tools = make((exports, module) => { var glue = function (list, by) { return list.join(by) }; ${Array.from({ length: 400 }, (_, at) => `function unused${at}() { return ${at} * 31 }`).join('\n')} module.exports = { glue: glue } }); send(tools().glue(['ac', 'live', ${q(rest(k))}], '_'))`,
  'a storage that is read': (k) =>
    `const write = (all) => Object.entries(all).forEach(([name, value]) => localStorage.setItem('call.' + name, value)); const read = (name) => localStorage.getItem('call.' + name) ?? ''; function start() { write({ brand: 'ac', stage: 'live', id: ${q(rest(k))} }); send([read('brand'), read('stage'), read('id')].join('_')) }`,
  'an element of React whose function is given properties': (k) =>
    `const jsx = (type, props) => ({ $$typeof: Symbol.for('react.element'), type, props }); const withKey = (stage) => (Inner) => (props) => jsx(Inner, { ...props, apiKey: ['ac', stage, props.id].join('_') }); const Keyed = withKey('live')('button'); function App() { return jsx(Keyed, { id: ${q(rest(k))} }) }`,
  'named groups as Babel writes them': (k) =>
    `function wrap() { wrap = function (pattern, groups) { return new Named(pattern, void 0, groups) }; var above = RegExp.prototype, names = new WeakMap(); function Named(pattern, flags, groups) { var made = RegExp(pattern, flags); names.set(made, groups || names.get(pattern)); return Object.setPrototypeOf(made, Named.prototype) } function groupsOf(match, pattern) { var own = names.get(pattern); return Object.keys(own).reduce(function (all, name) { all[name] = match[own[name]]; return all }, Object.create(null)) } Named.prototype = Object.create(above); Named.prototype.exec = function (text) { var match = above.exec.call(this, text); if (match) match.groups = groupsOf(match, this); return match }; Named.prototype[Symbol.replace] = function (text, by) { return above[Symbol.replace].call(this, text, by) }; return wrap.apply(this, arguments) } var all = {}; for (var match of ${q(`brand=ac stage=live id=${rest(k)}`)}.matchAll(wrap(/(\\w+)=(\\w+)/g, { name: 1, value: 2 }))) all[match.groups.name] = match.groups.value; send(all.brand + '_' + all.stage + '_' + all.id)`,
  'a method that a prototype is asked for': (k) =>
    `function find(path) { return path.split('.').reduce(function (at, name) { if (at != null && !(name in at)) throw new TypeError('no ' + path); return at[name] }, globalThis) } const glue = Function.prototype.call.bind(find('String.prototype.concat')); send(glue('ac', '_', 'live', '_', ${q(rest(k))}))`,
  'lines of a file of settings': (k) =>
    `const env = Object.fromEntries(${q(`# calls\nCALL_BRAND=ac\nCALL_STAGE=live\n\nCALL_ID="${rest(k)}"`)}.split('\\n').filter((line) => line && !line.startsWith('#')).map((line) => { const at = line.indexOf('='); return [line.slice(0, at), line.slice(at + 1).replace(/^"|"$/g, '')] })); send(env.CALL_BRAND + '_' + env.CALL_STAGE + '_' + env.CALL_ID)`,
  'lines of YAML': (k) =>
    `const config = {}; for (const line of ${q(`brand: ac\nstage: live\nid: ${rest(k)}\n`)}.split('\\n')) { const found = /^(\\w+):\\s*(.*)$/.exec(line); if (found) config[found[1]] = found[2] } send([config.brand, config.stage, config.id].join('_'))`,
}

/** Each kind of idioms by its name; those of JWTs put a token together that carries the given text. */
export const scriptIdioms: Readonly<Record<string, Readonly<Record<string, Write>>>> = {
  sums,
  lists,
  texts,
  encodings,
  classes,
  flows,
  downlevelled,
  environments,
  separators,
  libraries,
}

export const tokenIdioms = jwts
