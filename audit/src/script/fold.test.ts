import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

const body = key.slice('ac_live_'.length)
const backwards = [...key].reverse().join('')
const codes = [...Buffer.from(key)]
const base64 = Buffer.from(key).toString('base64')

/** Ways in which minifiers, bundlers and compilers leave a key that a source has in pieces. */
const ways: Readonly<Record<string, string>> = {
  'a sum': `use("ac_"+"live_"+"${body}")`,
  'a template with a constant': `const p="ac_live_";use(\`\${p}${body}\`)`,
  'a template of Babel': `var p="ac_live_";use("".concat(p).concat("${body}"))`,
  'a list that is joined': `use(["ac","live","${body}"].join("_"))`,
  'a list backwards': `use(["${body}","_","live","ac_"].reverse().join(""))`,
  'single characters of a text backwards': `use([..."${backwards}"].reverse().join(""))`,
  'split, reversed and joined': `use("${backwards}".split("").reverse().join(""))`,
  'a text whose mark is replaced': `use("XX${body}".replace("XX","ac_live_"))`,
  'replacement by a pattern': `use("ac_live_~${body}".replace(/~/g,""))`,
  'a part of a text': `use("ac_live_xx".slice(0,8)+"${body}")`,
  'base64 in pieces': `use(atob("${base64.slice(0, 12)}"+"${base64.slice(12)}"))`,
  'hexadecimal in pieces': `use(Buffer.from("${Buffer.from(key).toString('hex')}".slice(0),"hex").toString())`,
  'numbers in a buffer': `use(Buffer.from([${codes}]).toString("utf8"))`,
  'character codes': `use(String.fromCharCode(...[${codes}]))`,
  'an escaped address': `use(decodeURIComponent("ac_live%5F"+"${body}"))`,
  'members of an object': `(()=>{const c={p:"ac_",q:{r:"live_"}};return c.p+c.q.r+"${body}"})()`,
  'members that are assigned': `(c.p="ac_",c.q="live_",c.p+c.q+"${body}")`,
  'an enum of TypeScript': `var E;(function(e){e["P"]="ac_live_"})(E||(E={}));use(E.P+"${body}")`,
  'static fields of a class': `class C{static A="ac_";static B="live_"}; use(C.A+C.B+"${body}")`,
  'fields by a helper': `class A{constructor(){_defineProperty(this,"p","ac_live_"),_defineProperty(this,"i","${body}")}k(){return this.p+this.i}}`,
  'a destructured object': `const {p,q:r}={p:"ac_",q:"live_"}; use(p+r+"${body}")`,
  'functions that give constants': `function k(){return "ac_"+"live_"} const p=()=>"${body}"; use(k()+p())`,
  'an environment that a bundler put in': `const e={MODE:"production",VITE_P:"ac_live_"};use(e.VITE_P+"${body}")`,
  'one of several stages': `const k={dev:{p:"ac_test_"},prod:{p:"ac_live_"}}[stage];use(k.p+"${body}")`,
  'one of two prefixes': `const p=location.host==="x"?"ac_test_":"ac_live_"; use(p+"${body}")`,
  'getters of webpack': `var e={1:(e,t,n)=>{n.d(t,{P:()=>r});const r="ac_live_"},2:(e,t,n)=>{var o=n(1);use(o.P+"${body}")}}`,
  'exports of CommonJS': `exports.P=void 0;var P="ac_live_";exports.P=P;(function(m,e,r){var a=r(1);use(a.P+"${body}")})`,
  'exports of SWC': `Object.defineProperty(exports,"P",{enumerable:true,get:function(){return P}});const P="ac_live_";use(_m.P+"${body}")`,
  'exports of esbuild': `var c={};__export(c,{P:()=>P});var P="ac_live_";use(\`\${c.P}${body}\`)`,
  'modules of Metro': `__d(function(g,r,i,a,m,e,d){e.P="ac_live_"},1,[]);__d(function(g,r,i,a,m,e,d){var n=r(d[0]);use("Bearer "+n.P+"${body}")},2,[1]);`,
  'a module that is run from a string': `eval("use(\\"ac_\\"+\\"live_${body}\\")")`,
  JSX: `const a="ac_"; const x=<A k={a+"live_"+"${body}"}/>`,
  'a source with types': `const a: string = "ac_" as string\nexport const k: Readonly<string> = a + "live_" + "${body}"`,
}

test.each(Object.entries(ways))('folds %s', async (_, script) => {
  const { findings } = await auditFiles({ 'a.js': script })
  const errors = findings.filter(({ level }) => level === 'error')
  expect(errors).toMatchObject([{ length: key.length, location: 'dist/a.js' }])
})

/** Only the running script knows these: the audit reports the prefix in pieces. */
const pieces: Readonly<Record<string, string>> = {
  'additions to a name': `let k="ac_"; k+="live_"; k+="${body}"; use(k)`,
  'arguments of a function': `function k(a){return a+"live_"+"${body}"}use(k("ac_"))`,
  'a Map': `const m=new Map([["a","ac_live_"]]);use(m.get("a")+"${body}")`,
  'a part that comes later': 'use("ac_live_"+read())',
  'words of a list': `use(["ac","live","${body}"].map(trim).join("_"))`,
  'a loop': 'const p=["ac","live",rest()];let s="";for(const one of p)s+=one+"_"',
}

test.each(Object.entries(pieces))('warns of %s', async (_, script) => {
  const { findings, gaps } = await auditFiles({ 'a.js': script })
  expect(findings).toMatchObject([{ rule: 'AUD-004', level: 'warning', location: 'dist/a.js' }])
  expect(gaps).toEqual([])
})

test.each([
  ['ids with words of the prefix', 'const ids = ["ac", "room", "alive"].map((id) => id + "-room")'],
  ['an id of the platform', 'const id = "ac_" + "live_room_player_title"; use(id)'],
  ['words far from each other', `f(["ac","com"]);/* ${'-'.repeat(200)} */g(["live","_"])`],
])('takes %s for no piece of a key', async (_, script) => {
  const { findings, gaps } = await auditFiles({ 'a.js': script })
  expect([findings.filter(({ level }) => level !== 'note'), gaps]).toEqual([[], []])
})

test('accuses no file that is named behind an export of the same name', async () => {
  const guard = '1:(e,t,n)=>{n.d(t,{p:()=>r});const r="ac_live_"}'
  const { findings } = await auditFiles({
    'a.js': `var e={${guard},2:(e,t,n)=>{e.exports=n.p+"0a1b2c3d4e5f6a7b8c9d.svg"}}`,
  })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})

test.each([
  ['a function that returns itself', 'const a=()=>a; use("ac_"+a)'],
  ['an object that is spread into itself', 'let o; o={...o,q:1}; use("ac_"+o.p)'],
])('%s keeps nothing of a script from being folded', async (_, code) => {
  const { findings, gaps } = await auditFiles({ 'a.js': `${code}; use("ac_"+"live_"+"${body}")` })
  expect(findings.map(({ rule, length }) => [rule, length])).toEqual([['AUD-005', key.length]])
  expect(gaps).toEqual([])
})

test('a value that is one of several of its name is a warning', async () => {
  const script = `a.p="ac_live_";b.p="ac_test_";use(unknown().p+"${body}")`
  const { findings } = await auditFiles({ 'a.js': script })
  expect(findings).toMatchObject([{ rule: 'AUD-005', level: 'warning', length: key.length }])
})

test('reports a script that does not parse, or is too large, where it holds a piece', async () => {
  const { findings, gaps } = await auditFiles({
    'broken.js': 'const a = "ac_" + "live_" + ; } } function (',
    'harmless.js': 'const a = "ac_" + ; } } function (',
    'large.js': `const a = "ac_" + "live_";${'/* filler */'.repeat(2_200_000)}`,
    'deep.js': `${'['.repeat(100_000)}"ac_","live_"`,
  })
  expect(gaps.map(({ rule, location }) => `${rule} ${location}`).sort()).toEqual([
    'AUD-093 dist/large.js',
    'AUD-096 dist/broken.js',
    'AUD-096 dist/deep.js',
  ])
  expect(findings.map(({ rule }) => rule)).toEqual(['AUD-004', 'AUD-004', 'AUD-004'])
})

test('neither hangs nor overflows on hostile scripts', async () => {
  const nested = Array.from({ length: 40 }, (_, at) => `a${at + 1}=[${`a${at},`.repeat(10)}]`).join(';')
  const { findings } = await auditFiles({
    'calls.js': 'const f = () => g() + g(), g = () => f() + "live_"; use("ac_" + f())',
    'sum.js': `use(${'"ac_" + '.repeat(20_000)}"live_")`,
    'itself.js': 'const a=()=>a; use("ac_"+"live_"+a)',
    'cycle.js': 'const a = b + "ac_", b = a + "live_"; use(a + b)',
    'lists.js': `a0=[""];${nested};use("ac_"+"live_"+a40.flat().join(""), a40.join("ac_live_"))`,
    'spread.js': `o0={p:"ac_"};${Array.from({ length: 40 }, (_, at) => `o${at + 1}={...o${at},...o${at}}`).join(';')};use(o40.q+"live_")`,
    'pattern.js': `use("ac_"+"live_"+"${'a'.repeat(40)}!".replace(/(a+)+$/,""))`,
  })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})
