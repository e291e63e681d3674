/** How scripts put a key together, as statements of a module that leave it in `out`. Each is given the key. */
type Write = (key: string) => string

const quote = JSON.stringify
const codes = (key: string) => [...Buffer.from(key)]
const base64 = (text: string) => Buffer.from(text).toString('base64')
const backwards = (key: string) => [...key].reverse().join('')
const list = (numbers: readonly number[]) => `[${numbers.join(',')}]`

export const hermesIdioms: Readonly<Record<string, Write>> = {
  plusLocals: (k) =>
    `function key(s) { var a = 'ac_'; if (s) a += 'live_'; return a + ${quote(k.slice(8))} } out = key(1)`,
  template: (k) => `function key(p) { return \`\${p}live_\${${quote(k.slice(8))}}\` } out = key('ac_')`,
  joinArray: (k) => `function key() { return ['ac', 'live', ${quote(k.slice(8))}].join('_') } out = key()`,
  mapCodes: (k) =>
    `function key() { return ${list(codes(k))}.map(function (c) { return String.fromCharCode(c) }).join('') } out = key()`,
  arrowShift: (k) =>
    `var key = () => ${list(codes(k).map((c) => c + 3))}.map((c) => String.fromCharCode(c - 3)).join(''); out = key()`,
  spreadCodes: (k) => `function key() { return String.fromCharCode(...${list(codes(k))}) } out = key()`,
  applyTyped: (k) =>
    `function key() { return String.fromCharCode.apply(null, new Uint8Array(${list(codes(k))})) } out = key()`,
  xorTyped: (k) =>
    `function key() { var b = new Uint8Array(${list(codes(k).map((c) => c ^ 0x2a))}); for (var i = 0; i < b.length; i++) b[i] ^= 0x2a; return String.fromCharCode.apply(String, b) } out = key()`,
  forLoop: (k) =>
    `function key() { var a = ${list(codes(k))}, s = ''; for (var i = 0; i < a.length; i++) s += String.fromCharCode(a[i]); return s } out = key()`,
  forOf: (k) =>
    `function key() { var s = ''; for (var c of [${quote(k.slice(0, 5))}, ${quote(k.slice(5, 15))}, ${quote(k.slice(15))}]) s += c; return s } out = key()`,
  forIn: (k) =>
    `function key() { var o = { a: ${quote(k.slice(0, 5))}, b: ${quote(k.slice(5))} }, s = ''; for (var n in o) s += o[n]; return s } out = key()`,
  reduce: (k) =>
    `function key() { return [${quote(k.slice(0, 6))}, ${quote(k.slice(6, 12))}, ${quote(k.slice(12))}].reduce(function (a, b) { return a + b }, '') } out = key()`,
  objectValues: (k) =>
    `function key() { return Object.values({ a: 'ac_', b: 'live_', c: ${quote(k.slice(8))} }).join('') } out = key()`,
  objectKeys: (k) =>
    `function key() { var o = { x: 'ac_', y: 'live_', z: ${quote(k.slice(8))} }; return Object.keys(o).map(function (n) { return o[n] }).join('') } out = key()`,
  entries: (k) =>
    `function key() { return Object.entries({ 1: 'ac_', 2: ${quote(k.slice(3))} }).map(function (e) { return e[1] }).join('') } out = key()`,
  tagged: (k) =>
    `function tag(parts) { for (var v = [], i = 1; i < arguments.length; i++) v.push(arguments[i]); return parts.map(function (p, n) { return p + (v[n] || '') }).join('') } function key(x) { return tag\`ac_\${'live_'}${k.slice(8)}\` } out = key()`,
  rawTag: (k) =>
    `function tag(parts, ...v) { return parts.raw.join(v[0]) } function key() { return tag\`ac\${'_'}live\${'_'}${k.slice(8)}\` } out = key()`,
  reversed: (k) =>
    `function key() { return ${quote(backwards(k))}.split('').reverse().join('') } out = key()`,
  atobWhole: (k) =>
    `function key() { return atob(${quote(base64(k).slice(0, 9))} + ${quote(base64(k).slice(9))}) } out = key()`,
  atobPieces: (k) =>
    `function key() { return [${quote(base64(k.slice(0, 9)))}, ${quote(base64(k.slice(9)))}].map(atob).join('') } out = key()`,
  bufferFrom: (k) =>
    `function key() { return Buffer.from([${quote(base64(k).slice(0, 8))}, ${quote(base64(k).slice(8))}].join(''), 'base64').toString('utf8') } out = key()`,
  bufferHex: (k) =>
    `function key() { var h = ${quote(Buffer.from(k).toString('hex').slice(0, 14))}; return Buffer.from(h + ${quote(Buffer.from(k).toString('hex').slice(14))}, 'hex').toString() } out = key()`,
  textDecoder: (k) =>
    `function key() { return new TextDecoder().decode(new Uint8Array(${list(codes(k))})) } out = key()`,
  replaceChain: (k) =>
    `function key() { return ${quote(k.replaceAll('_', '~'))}.replace('~', '_').replace('~', '_') } out = key()`,
  replacePattern: (k) =>
    `function key() { return ${quote(k.replaceAll('_', '-'))}.replace(/-/g, '_') } out = key()`,
  splitJoin: (k) =>
    `function key() { return ${quote(k.replaceAll('_', '|'))}.split('|').join('_') } out = key()`,
  slices: (k) =>
    `function key() { var s = ${quote(`zz${k}yy`)}; return s.slice(2, 9) + s.substring(9, ${k.length + 2}) } out = key()`,
  modulePrefix: (k) =>
    `var PREFIX = 'ac_live_'; var key = function () { return PREFIX + ${quote(k.slice(8))} }; out = key()`,
  moduleParts: (k) =>
    `var P = ['ac_', 'live_']; var S = ${quote(k.slice(8))}; function key() { return P.concat(S).join('') } out = key()`,
  closure: (k) =>
    `function make(prefix) { return function (rest) { return prefix + rest } } out = make('ac_live_')(${quote(k.slice(8))})`,
  helperCall: (k) =>
    `function glue(a, b) { return a + b } function key() { return glue('ac_live_', ${quote(k.slice(8))}) } out = key()`,
  objectMethod: (k) =>
    `var api = { prefix: 'ac_live_', secret: ${quote(k.slice(8))}, key() { return this.prefix + this.secret } }; out = api.key()`,
  getter: (k) =>
    `var api = { secret: ${quote(k.slice(3))}, get key() { return 'ac_' + this.secret } }; out = api.key`,
  prototype: (k) =>
    `function Api() { this.prefix = 'ac_live_' } Api.prototype.key = function () { return this.prefix + ${quote(k.slice(8))} }; out = new Api().key()`,
  switchCase: (k) =>
    `function part(n) { switch (n) { case 0: return 'ac_'; case 1: return 'live_'; case 2: return ${quote(k.slice(8))}; default: return '' } } function key() { return part(0) + part(1) + part(2) } out = key()`,
  ternary: (k) =>
    `function key(prod) { return (prod ? 'ac_live_' : 'ac_test_') + ${quote(k.slice(8))} } out = key(Date.now() > 0)`,
  destructured: (k) =>
    `function key() { var { a, b } = { a: 'ac_live_', b: ${quote(k.slice(8))} }; var [c] = [a]; return c + b } out = key()`,
  defaults: (k) => `function key(a = 'ac_live_', b = ${quote(k.slice(8))}) { return a + b } out = key()`,
  promise: (k) =>
    `function key() { return Promise.resolve('ac_live_').then(function (p) { return p + ${quote(k.slice(8))} }) } out = key()`,
  generator: (k) =>
    `function* parts() { yield 'ac_'; yield 'live_'; yield ${quote(k.slice(8))} } out = [...parts()].join('')`,
  mapObject: (k) =>
    `function key() { var m = new Map([['p', 'ac_live_'], ['s', ${quote(k.slice(8))}]]); return m.get('p') + m.get('s') } out = key()`,
  pad: (k) =>
    `function key() { return 'ac_'.concat('live_').padEnd(8, 'x') + ${quote(k.slice(8))} } out = key()`,
  repeatedPush: (k) =>
    `function key() { var a = []; a.push('ac_', 'live_'); a.push(${quote(k.slice(8))}); return a.join('') } out = key()`,
  caesar: (k) =>
    `function key() { return ${quote([...k].map((c) => String.fromCharCode(c.charCodeAt(0) + 1)).join(''))}.split('').map(function (c) { return String.fromCharCode(c.charCodeAt(0) - 1) }).join('') } out = key()`,
  upper: (k) => `function key() { return 'AC_LIVE_'.toLowerCase() + ${quote(k.slice(8))} } out = key()`,
}

/** Idioms of what the platform gives, of conditions that only it knows, and of a few methods more. */
export const hermesPlatformIdioms: Readonly<Record<string, Write>> = {
  environment: (k) =>
    `var e = globalThis.mode; out = (e === 'dev' ? 'ac_dev_' : e === 'test' ? 'ac_test_' : 'ac_live_') + ${quote(k.slice(8))}`,
  query: (k) =>
    `var q = new URLSearchParams(${quote(`a=${k.slice(0, 9)}&b=${k.slice(9)}`)}); out = q.get('a') + q.get('b')`,
  queryAll: (k) =>
    `var q = new URLSearchParams(); q.append('k', ${quote(k.slice(0, 9))}); q.append('k', ${quote(k.slice(9))}); out = q.getAll('k').join('')`,
  proxy: (k) =>
    `var p = new Proxy({}, { get: function (_, n) { return { head: 'ac_live_', tail: ${quote(k.slice(8))} }[n] } }); out = p.head + p.tail`,
  proxyOfFunction: (k) =>
    `var p = new Proxy(function () {}, { apply: function (_, self, parts) { return parts.join('') } }); out = p('ac_', 'live_', ${quote(k.slice(8))})`,
  dataView: (k) =>
    `var c = ${list(codes(k))}, v = new DataView(new ArrayBuffer(c.length)); for (var i = 0; i < c.length; i++) v.setUint8(i, c[i]); out = String.fromCharCode.apply(null, new Uint8Array(v.buffer))`,
  json: (k) => `out = JSON.parse(${quote(JSON.stringify([k.slice(0, 9), k.slice(9)]))}).join('')`,
  spreadSet: (k) => `out = [...new Set([${quote(k.slice(0, 9))}, ${quote(k.slice(9))}])].join('')`,
  weakMap: (k) =>
    `var m = new WeakMap(), o = {}; m.set(o, 'ac_live_'); out = m.get(o) + ${quote(k.slice(8))}`,
  every: (k) =>
    `var s = ''; [${quote(k.slice(0, 9))}, ${quote(k.slice(9))}].every(function (p) { s += p; return true }); out = s`,
  setter: (k) =>
    `var o = { text: '', set part(p) { this.text += p } }; o.part = 'ac_'; o.part = 'live_'; o.part = ${quote(k.slice(8))}; out = o.text`,
  ownValue: (k) => `var o = { valueOf: function () { return 'ac_live_' } }; out = o + ${quote(k.slice(8))}`,
  toPrimitive: (k) =>
    `var o = { [Symbol.toPrimitive]: function () { return 'ac_live_' } }; out = o + ${quote(k.slice(8))}`,
  bound: (k) =>
    `function glue(by, a, b, c) { return [a, b, c].join(by) } out = glue.bind(null, '_', 'ac')('live', ${quote(k.slice(8))})`,
  replaceGroups: (k) =>
    `out = ${quote(`<a>_<b>_${k.slice(8)}`)}.replace(/<(\\w)>/g, function (_, n) { return { a: 'ac', b: 'live' }[n] })`,
  matchPairs: (k) =>
    `out = ${quote(Buffer.from(k).toString('hex'))}.match(/.{2}/g).map(function (h) { return String.fromCharCode(parseInt(h, 16)) }).join('')`,
  ownMethod: (k) =>
    `String.prototype.fill = function () { var given = arguments; return this.replace(/%(\\d)/g, function (_, n) { return given[n] }) }; out = '%0_%1_%2'.fill('ac', 'live', ${quote(k.slice(8))})`,
  missing: (k) =>
    `function key(o) { var head = o.head === undefined ? 'ac_live_' : o.head; return head + ${quote(k.slice(8))} } out = key({})`,
}
