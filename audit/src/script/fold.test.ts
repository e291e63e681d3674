import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

const body = key.slice('ac_live_'.length)
const backwards = [...key].reverse().join('')
const codes = [...Buffer.from(key)]
const list = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).join()
const half = Math.floor(key.length / 2)
const base64 = Buffer.from(key).toString('base64')
const pieces = (size: number) => key.match(new RegExp(`.{1,${size}}`, 'g')) ?? []

const scripts: Readonly<Record<string, string>> = {
  'a sum of single characters': [...key].map((char) => JSON.stringify(char)).join('+'),
  'a list of pairs': `[${list(pieces(2))}].join("")`,
  'a list of triples': `[${list(pieces(3))}].join("")`,
  'a list backwards': `["${body}","_","live","ac_"].reverse().join("")`,
  'a raw template': `String.raw\`ac_\${"live"}_\${"${body}"}\``,
  replace: `"XX${body}".replace("XX","ac_live_")`,
  'replace by a pattern': `"${[...key].join('.')}".replace(/\\./g,"")`,
  'split and join': `"${[...key].join('.')}".split(".").join("")`,
  'split, reversed and joined': `"${backwards.slice(0, half)}${backwards.slice(half)}".split("").reverse().join("")`,
  'spread and reversed': `[..."${backwards}"].reverse().join("")`,
  'members of an object': `(()=>{const c={p:"ac_",q:{r:"live_"}};return c.p+c.q.r+"${body}"})()`,
  'members that are assigned': `(c.p="ac_",c.q="live_",c.p+c.q+"${body}")`,
  'conditions and defaults': `((true?"ac":"x")+(""||"_")+(void 0??"live_")+"${body}")`,
  slice: `"xxac_live_${body}yy".slice(2,-2)`,
  padStart: `"${body}".padStart(39,"ac_live_")`,
  'small letters': `"AC_LIVE_".toLowerCase()+"${body}"`,
  'a number in another base': `(372).toString(36)+"_live_${body}"`,
  'atob of pieces': `atob("${base64.slice(0, 10)}"+"${base64.slice(10)}")`,
  'Buffer.from in hexadecimal': `Buffer.from("${Buffer.from(key).toString('hex')}","hex").toString()`,
  'Buffer.from numbers': `Buffer.from([${codes}]).toString("utf8")`,
  'a TextDecoder': `new TextDecoder().decode(new Uint8Array([${codes}]))`,
  'Uint8Array.from with a callback': `new TextDecoder().decode(Uint8Array.from(atob("${base64.slice(0, 9)}"+"${base64.slice(9)}"),c=>c.charCodeAt(0)))`,
  'codes applied': `String.fromCharCode.apply(null,[${codes}])`,
  'codes spread': `String.fromCharCode(...[${codes}])`,
  'codes under a mask': `[${codes.map((code) => code ^ 23)}].map(c=>String.fromCharCode(c^23)).join("")`,
  'codes that are shifted': `[${codes.map((code) => code + 5)}].map(function(c){return String.fromCharCode(c-5)}).join("")`,
  'codes reduced': `[${codes}].reduce((s,c)=>s+String.fromCharCode(c),"")`,
  'JSON.parse': `(()=>{const c=JSON.parse('{"a":"ac_","b":"live_"}');return c.a+c.b+"${body}"})()`,
  'a Map': `(()=>{const m=new Map([["a","ac_"]]);return m.get("a")+"live_"+"${body}"})()`,
  'values of an object': `Object.values({a:"ac_",b:"live_",c:"${body}"}).join("")`,
  decodeURIComponent: `decodeURIComponent("ac%5F"+"live%5F${body}")`,
}

const programs: Readonly<Record<string, string>> = {
  'additions to a name': `let k="ac_"; k+="live_"; k+="${body}"; use(k)`,
  'a name that is written again': `var k; k="ac_live"; k=k+"_${body}"; use(k)`,
  'a loop': `let s="";for(const c of [${codes}])s+=String.fromCharCode(c);use(s)`,
  'a destructured list': `const [p,q]=["ac_","live_"]; use(p+q+"${body}")`,
  'a destructured object': `const {p,q:r}={p:"ac_",q:"live_"}; use(p+r+"${body}")`,
  'a table of strings behind a function': `var t=["live_","${body}","ac_"];var f=function(i){i=i-0x10;var r=t[i];return r}; use(f("0x12")+f("0x10")+f("0x11"))`,
  'functions that give constants': `function k(){return "ac_"+"live_"} const p=()=>"${body}"; use(k()+p())`,
  'arguments of a function that is called at once': `(function(a,b){use(a+b+"${body}")})("ac_","live_")`,
  'static fields of a class': `class C{static A="ac_";static B="live_"}; use(C.A+C.B+"${body}")`,
  'exports of another module': `(()=>{var e={1:(e,t)=>{t.P="ac_"},2:(e,t,n)=>{var r=n(1);use(r.P+"live_${body}")}}})()`,
  'an environment that a bundler put in': `const process={env:{A:"ac_",B:"live_${body}"}}; use(process.env.A+process.env.B)`,
  'code in a string': `eval("use(\\"ac_\\"+\\"live_${body}\\")")`,
  'a default of a parameter': `function t(e="ac_"){return e+"live_${body}"}`,
  'a state machine': `function k(){var s="2|0|1".split("|"),i=0,o="";while(!![]){switch(s[i++]){case"0":o+="live_";continue;case"1":o+="${body}";continue;case"2":o="ac_";continue}break}return o}use(k())`,
  'one of two prefixes': `const p=location.host==="x"?"ac_test_":"ac_live_"; use(p+"${body}")`,
  'the other of two prefixes': `use(\`ac_\${location.port?"live":"test"}_${body}\`)`,
  JSX: `const a="ac_"; const x=<A k={a+"live_"+"${body}"}/>`,
  'a source with types': `const a: string = "ac_" as string\nenum E { X = "live_" }\nexport const k: Readonly<string> = a + E.X + "${body}"`,
  'a source with Flow types': `// @flow\nopaque type K = {| +k: ?string |}\nconst a: string = "ac_"\nconst k: K = { k: (a: any) }\nuse(a + "live_" + "${body}")`,
}

test.each([
  ...Object.entries(scripts).map(([name, expression]) => [name, `use(${expression})`] as const),
  ...Object.entries(programs),
])('folds %s', async (_, script) => {
  const { findings } = await auditFiles({ 'a.js': script })
  const errors = findings.filter(({ level }) => level === 'error')
  expect(errors).toMatchObject([{ length: key.length, location: 'dist/a.js' }])
})

test('accuses nothing that is only known when the program runs', async () => {
  const { findings, gaps } = await auditFiles({
    'a.js':
      'const k = (x) => "ac_" + x; let s = ""; for (const c of read()) s += "ac_" + c; use("ac_".concat(s, "_live"))',
    'b.js': 'class Live { static role = "live_region" } const ids = ["ac", "live"].map((id) => id + "-room")',
  })
  expect(findings.filter(({ level }) => level !== 'note')).toEqual([])
  expect(gaps).toEqual([])
})

test.each([
  `const k='${key}'; use(k); cache(k+'-cache')`,
  `use("${key}"); cache("${key}".concat("-cache"))`,
  `cache(\`\${'${key}'}-cache\`); use("${key}")`,
  `eval("const k = \\"${key}\\";\\nuse(k); cache(k + \\"-cache\\")")`,
])('finds a key that is a literal, and text that the script puts behind it: %#', async (script) => {
  const { findings } = await auditFiles({ 'a.js': script })
  const keys = findings.map(({ rule, length }) => [rule, length])
  expect(keys.toSorted()).toEqual([
    ['AUD-001', key.length],
    ['AUD-005', key.length + '-cache'.length],
  ])
})

test('reports a script that does not parse, or is too large, where it holds a piece', async () => {
  const { gaps } = await auditFiles({
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
})

test('folds what it can of a script that is too large for a tree', async () => {
  const script = `const a = "ac_";${`f(1,"${'x'.repeat(300)}");`.repeat(14_000)}use(a + "live_" + "${body}")`
  const { findings, gaps } = await auditFiles({ 'a.js': script })
  expect(gaps).toEqual([])
  expect(findings).toMatchObject([
    { rule: 'AUD-005', length: key.length, offset: script.indexOf('a + "live_"') },
  ])
})

test('folds what it can of a large script beside what no module may hold, and what no other script may', async () => {
  const others = 'f(01 + a);g(await b + "c");'
  const script = `${others}const a = "ac_";${`f(1,"${'x'.repeat(300)}");`.repeat(14_000)}use(a + "live_" + "${body}")`
  const { findings } = await auditFiles({ 'a.js': script })
  expect(findings).toMatchObject([{ rule: 'AUD-005', length: key.length }])
})

test('neither hangs nor overflows on hostile scripts', async () => {
  const { findings } = await auditFiles({
    'calls.js': `const f = (n) => n < 2 ? "ac_" : f(n - 1) + f(n - 2); use(f(40))`,
    'loop.js': 'let s = "ac_"; while (true) s += "live_"; use(s)',
    'sum.js': `use(${'"ac_" + '.repeat(20_000)}"x")`,
    'cycle.js': 'const a = b + "ac_", b = a + "live_"; use(a + b)',
    'growth.js': `let s = "ac_live_"; ${'s = s + s; '.repeat(60)} use(s)`,
  })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})

/** Functions like those of a large library: loops with a known end, whose texts matter to no key. */
const library = Array.from(
  { length: 40 },
  (_, at) =>
    `function f${at}(n){var s="";for(var i=0;i<200000;i++)s+="ab"+n+i;return s}var r${at}=f${at}("x")+f${at}("y");`,
).join('\n')

const apart = `/* ${'-'.repeat(80)} */`
/** Lists of words, all in one object that functions take: among them, the prefix in pieces. */
const spread = `const w={places:["A\u{11f}ac","Kars"],${apart}ends:["com","li"],${apart}verbs:["ve"],${apart}mark:"_"};
use(f1(JSON.stringify(Object.assign({},w))))`

test.each([
  ['nothing', ''],
  ['a guard', `const P="ac_live_",Q=P;export const isKey=(k)=>{if(k.startsWith(Q))throw 0}`],
  ['words of two letters, far from each other,', spread],
])('costs nothing where a script has %s to do with a key', async (_, guard) => {
  const { findings, gaps } = await auditFiles({ 'a.js': `${library}${guard}` })
  expect(gaps).toEqual([])
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})

test('a function that does not end leaves effort to the others', async () => {
  const joined = `const stage=()=>"live";function*parts(){yield "ac";yield stage();yield "${body}"}export const key=()=>[...parts()].join("_");`
  const endless = 'export function late(){const s=["ac_"];for(;;)s.push(s[0]+stage()+"_")}'
  const { findings } = await auditFiles({ 'a.js': `${joined}${endless}` })
  expect(findings.filter(({ level }) => level === 'error')).toMatchObject([{ length: key.length }])
})

test.each([
  ['a list', `const p=["ac","live","${body}"];use(p.join("_"))`],
  ['a function', `function k(a){return a+"live_"+"${body}"}use(k("ac_"))`],
  ['a loop', `let s="";for(const c of [${codes}])s+=String.fromCharCode(c);use(s)`],
  ['additions', `let k="ac_";k+="live_";k+="${body}";use(k)`],
  ['an object', `const o={a:"ac_",b:"live_",l:1},o2={a:1,b:2};use(o.a+o.b+"${body}")`],
  ['single characters', `use([${list([...key])}].join(""))`],
])('folds %s beside much that matters to no key', async (_, script) => {
  const { findings, gaps } = await auditFiles({ 'a.js': `${library}${script}` })
  expect(gaps).toEqual([])
  expect(findings.filter(({ level }) => level === 'error')).toMatchObject([{ length: key.length }])
})

test('takes no property of another object for a method of a class that has its name', async () => {
  const guard = 'const all={};define(all,{prefix:()=>p});var p="ac_live_";check(x=>x.startsWith(p))'
  const classes = `class A{static brand="ac";static prefix(){return this.brand+"_"+this.stage+"_"}}class B extends A{static stage="test";static id=["${body}"];static key(){return super.prefix()+this.id.join("")}}use(B.key())`
  const { findings } = await auditFiles({ 'a.js': `${classes};${guard}` })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})

const method = '_handleP2PAddAudioOrVideoStream'
const worker = Buffer.from('self.onmessage = ({ data }) => nativeScale(data) \n'.repeat(31)).toString(
  'base64',
)

test.each([
  ['the name of a method', method],
  ['a worker in base64', worker],
])('%s is no piece of a key, whatever costs too much with it', async (_, text) => {
  const turned = 'for (let at = 0; at < 1e8; at++) text = text.split("").reverse().join("")'
  const script = `const turn = (text) => { ${turned}; return text }\nuse(turn("a" + "${text}" + "b"), "${method}")`
  const { findings, gaps } = await auditFiles({ 'a.js': script })
  expect([findings, gaps]).toEqual([[], []])
})
