import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

const tail = key.slice(8)
const codes = [...key].map((char) => char.charCodeAt(0))
const base64 = Buffer.from(key).toString('base64')

/** Puts another character behind each character of a text. */
const apart = (text: string) => [...text].map((char, at) => char + 'qX7z_k'[at % 6]).join('')
/** The characters of a text under the remainder of their places by seven. */
const underRemainders = (text: string) =>
  [...text].map((char, at) => String.fromCharCode(char.charCodeAt(0) ^ (at % 7))).join('')
const alphabet = 'etaoinshrdlucmfwypvbgkjqxz_ETAOINSHRDLUCMFWYPVBGKJQXZ0123456789'

const base32 = (text: string) => {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const fives = bits.match(/.{1,5}/g) ?? []
  return fives.map((five) => letters32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
const letters32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const decode32 = (text: string) =>
  `f("${base32(text)}"); function f(s) { let b = "", o = ""; for (const c of s) b += "${letters32}".indexOf(c).toString(2).padStart(5, "0"); for (let i = 0; i + 8 <= b.length; i += 8) o += String.fromCharCode(parseInt(b.slice(i, i + 8), 2)); return o }`
const inHex = (text: string) => Buffer.from(text).toString('hex')
const swapped = (text: string) => JSON.stringify(text.replace(/(.)(.)/g, '$2$1'))
const used = [...new Set(key)].sort().join('')

const scripts: Readonly<Record<string, string>> = {
  'codes with dashes': `"${codes.join('-')}".split("-").map((c) => String.fromCharCode(c)).join("")`,
  'codes with spaces': `"${codes.join(' ')}".split(" ").map((c) => String.fromCharCode(+c)).join("")`,
  'codes with a letter': `"${codes.join('x')}".split("x").map((c) => String.fromCharCode(parseInt(c))).join("")`,
  'codes with bars, by names alone': `"${codes.join('|')}".split("|").map(Number).map(String.fromCharCode).join("")`,
  'codes against the direction': `"${codes.toReversed().join('.')}".split(".").reverse().map((c) => String.fromCharCode(c)).join("")`,
  'codes that a constant maps': `[${codes}].map(toText).join(""); const toText = (c) => String.fromCharCode(c)`,
  'base64 against the direction': `atob("${[...base64].reverse().join('')}".split("").reverse().join(""))`,
  fillers: `"ac~_li~ve_~${tail}".replace(/~/g, "")`,
  'fillers in another place': `"ac#_liv#e_#${tail}".replaceAll("#", "")`,
  'wide escapes': `unescape("${codes.map((code) => `%u${code.toString(16).padStart(4, '0')}`).join('')}")`,
  getters: `o.a + o.b + o.c; const o = { get a() { return "ac_" }, get b() { return "live_" }, get c() { return "${tail}" } }`,
  'a getter that reads others': `o.key; const o = { start: "ac_li", get key() { return this.start + "ve_" + "${tail}" } }`,
  'every other character': `${JSON.stringify(apart(key))}.split("").filter((_, i) => i % 2 === 0).join("")`,
  'every other character, by a loop': `f(${JSON.stringify(`-${apart(key)}`)}); function f(t) { let o = ""; for (let i = 1; i < t.length; i += 2) o += t[i]; return o }`,
  'a mask of remainders': `[...${JSON.stringify(underRemainders(key))}].map((c, i) => String.fromCharCode(c.charCodeAt(0) ^ i % 7)).join("")`,
  'lines of settings': `(() => { const s = {}; for (const l of \`R=eu\nA=ac_live_\nB=${tail}\n\`.split("\\n")) { const i = l.indexOf("="); if (i > 0) s[l.slice(0, i)] = l.slice(i + 1) } return s.A + s.B })()`,
  'places in a mixed alphabet with a name': `a.map((i) => t[i]).join(""); const t = "${alphabet}", a = [${[...key].map((char) => alphabet.indexOf(char))}]`,
  'places in a table, far from where they are read': `g(() => a.map(function (i) { return "${used}"[i]; }).join("")); ${'h(1);'.repeat(400)} const a = [${[...key].map((char) => used.indexOf(char))}]`,
  'pairs whose characters are swapped': `${swapped(key)}.replace(/(.)(.)/g, "$2$1")`,
  base32: decode32(key),
  'base32 in a template': decode32(key).replaceAll('"', '`'),
  'swapped pairs in a template': `\`${key.replace(/(.)(.)/g, '$2$1')}\`.replace(/(.)(.)/g, \`$2$1\`)`,
  'a method of the class above, with another word': `() => "Bearer " + new B().key; class A { get key() { return this.start() + this.id } start() { return "ac_test_" } } class B extends A { id = "${tail}"; start() { return super.start().replace("test", "live") } }`,
  'an enum that a function reads': `null; var s; (function (a) { a[a.ac_test_ = 0] = "ac_test_", a[a.ac_live_ = 1] = "ac_live_", a.Live = 1 })(s || (s = {})); export function f() { return s[s.Live] + "${tail}" }`,
  'a number without a limit': `(() => { const stage = "live"; return "ac_" + stage + "_" + BigInt("${BigInt(`0x${inHex(tail)}`)}").toString(16).match(/../g).map((h) => String.fromCharCode(parseInt(h, 16))).join("") })()`,
  'digits of a number without a limit': `"ac_live_" + f(0x${inHex(tail)}n); function f(n) { let s = ""; while (n > 0n) { s = String.fromCharCode(Number(n & 0xffn)) + s; n >>= 8n } return s }`,
  'values of a query': `(() => { const q = new URLSearchParams("v=ac&s=live&i=${tail}"); return ["v", "s", "i"].map((n) => q.get(n)).join("_") })()`,
  'an address with a part of it': `(() => { const u = new URL("https://cdn.acme.example/boot?s=live&i=${tail}&x=1"); return "ac_" + u.searchParams.get("s") + "_" + u.searchParams.get("i") })()`,
  'values of settings': `(() => { const m = Object.fromEntries("mode=live,vendor=ac".split(",").map((e) => e.split("="))); return m.vendor + "_" + m.mode + "_" + "${tail}" })()`,
  'parts of an address': `(() => { const u = new URL("https://ac@cdn.acme.example/calls/live/app.js#${tail}"); return [u.username, u.pathname.split("/")[2], u.hash.slice(1)].join("_") })()`,
  'words of a list': `() => "ac; live| ${tail},".split(/[;,|]\\s*/).filter(Boolean).join("_")`,
  'cells of a table': `(() => { const t = "init|${tail}|the-name-of-a-rather-long-event-in-the-middle-of-this-table-of-words|ac_|ready|another-name-that-is-as-long-as-the-one-before-it|live_".split("|"); return t[3] + t[6] + t[1] })()`,
  'cells of a table, with the random part in two of them': `(() => { const t = "ac_,ready,${tail.slice(0, 12)},${tail.slice(12)},live_".split(","); return t[0] + t[4] + t[2] + t[3] })()`,
  'all that a pattern finds': `null; const line = "brand=ac; stage=live; id=${tail}"; export function f() { return [...line.matchAll(/(\\w+)=(\\w+)/g)].map((m) => m[2]).join("_") }`,
  'named parts of a pattern': `null; const line = "v=ac;s=live;i=${tail}"; export function f() { const { v, s, i } = /v=(?<v>\\w+);s=(?<s>\\w+);i=(?<i>\\w+)/.exec(line).groups; return v + "_" + s + "_" + i }`,
  'what an object gives one after the other': `null; class P { constructor() { this.list = ["ac", "live", "${tail}"] } [Symbol.asyncIterator]() { let a = 0, t = this.list; return { next: async () => a < t.length ? { value: t[a++], done: !1 } : { value: void 0, done: !0 } } } } async function c(n) { let a = []; for await (let t of n) a.push(t); return a.join("_") } export async function d() { return "Bearer " + await c(new P) }`,
  'modules that are loaded when they are needed': `null; var f = Object.defineProperty, e = (a, o) => { for (var t in o) f(a, t, { get: o[t], enumerable: !0 }) }; var s = {}; e(s, { default: () => h }); var h, p = () => { h = "ac_live_" }; var c = {}; e(c, { default: () => u }); var u, d = () => { u = "${tail}" }; var w = { brand: () => Promise.resolve().then(() => (p(), s)), id: () => Promise.resolve().then(() => (d(), c)) }, l = (a) => w[a]().then((o) => o.default); export async function y() { return await l("brand") + await l("id") }`,
  'words with other marks': `((stage) => \`ac-\${stage}-${tail}\`.replace(/-/g, "_"))("live")`,
  'a helper that asks a function for a mark': `(() => { function w(e) { return e && e.__esModule ? e : { default: e } } const l = w((r) => r), p = (0, l.default)(["ac_", "live_", "${tail}"], 3), a = p[0], b = p[1]; return a + b + p[2] })()`,
  'a counter of a function that nothing calls': `null; const n = (() => { let i = 0; const b = ["ac_", "live_", "${tail}"]; return () => b[i++] })(), o = { dial: async function () { await go(n() + n() + n()) } }`,
  'a name that another function changes': `null; let stage = "live"; export const set = (s) => { stage = s }; export const dial = function () { go(["ac", stage, "${tail}"].join("_")) }`,
  'a borrowed method': `[].join.call(["ac_", "live_", "${tail}"], "")`,
  'a method of a prototype': `Array.prototype.join.call(["ac_", "live_", "${tail}"], "")`,
}

test.each(Object.entries(scripts))('finds a key in %s', async (_, expression) => {
  const { findings } = await auditFiles({ 'app.js': `export const value = ${expression}` })
  expect(findings).toMatchObject([{ level: 'error', length: key.length }])
})

test.each([
  ['codes of another text', '"97-99-95-98-101".split("-").map((c) => String.fromCharCode(c)).join("")'],
  ['fillers in a name', '"ac~_li~ve_~room_title".replace(/~/g, "")'],
  [
    'every other character of a name',
    `${JSON.stringify(apart('ac_live_room_title'))}.split("").filter((_, i) => i % 2 === 0).join("")`,
  ],
  [
    'a mask of remainders over a name',
    `[...${JSON.stringify(underRemainders('ac_live_room_title'))}].map((c, i) => String.fromCharCode(c.charCodeAt(0) ^ i % 7)).join("")`,
  ],
  [
    'places of a name in a table',
    `a.map((i) => "acdeilmorstv_"[i]).join(""); const a = [${[...'ac_live_room_title'].map((char) => 'acdeilmorstv_'.indexOf(char))}]`,
  ],
  ['swapped pairs of a name', `${swapped('ac_live_room_title')}.replace(/(.)(.)/g, "$2$1")`],
  ['base32 of another text', decode32('ac_test_room_title_2026_of_the_lobby')],
  [
    'values of another query',
    '(() => { const q = new URLSearchParams("v=ac&s=live&i=room_title"); return ["v", "s", "i"].map((n) => q.get(n)).join("_") })()',
  ],
  ['words of a list of names', '"ac; live| room_title,".split(/[;,|]\\s*/).filter(Boolean).join("_")'],
  [
    'a sentence with the words of the prefix',
    '"An ac device is live in room 4a7B2c9D4e5F6g7H8 now".split(" ").join("_")',
  ],
  ['a number without a limit that divides by none', '"live_" + (2n ** 9999n / 0n).toString(36) + "ac_"'],
  ['a getter of another text', 'o.a + "_title"; const o = { get a() { return "live_" } }'],
])('takes %s for no key', async (_, expression) => {
  const { findings } = await auditFiles({ 'app.js': `export const value = ${expression}` })
  expect(findings.filter(({ level }) => level !== 'note')).toEqual([])
})
