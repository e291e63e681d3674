import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

const tail = key.slice(8)
const codes = [...key].map((char) => char.charCodeAt(0))
const base64 = Buffer.from(key).toString('base64')

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
  ['a getter of another text', 'o.a + "_title"; const o = { get a() { return "live_" } }'],
])('takes %s for no key', async (_, expression) => {
  const { findings } = await auditFiles({ 'app.js': `export const value = ${expression}` })
  expect(findings.filter(({ level }) => level !== 'note')).toEqual([])
})
