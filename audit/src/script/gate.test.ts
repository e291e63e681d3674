import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'
import { createGate } from './gate.ts'
import { createScriptReader } from './reader.ts'

const gate = createGate('ac_live_', 16)
const isWorth = (script: string) => gate.pieceIn(script) !== -1 || gate.holdsMore(script)

test.each([
  ['a guard', `if(key.startsWith("ac_live_"))throw new Error("no server key")`],
  ['a guard the other way round', `if("ac_live_"===key.slice(0,8))throw 0`],
  ['a guard by a name', `const P='ac_live_';export const isKey=(k)=>k.startsWith(P)`],
  ['a guard by a list', `const L=["ac_test_","ac_live_"];ok=L.some(p=>k.startsWith(p))`],
  ['a label', `switch(head){case"ac_live_":return 1}`],
  ['a pattern', `const isKey=/^(?:ac_live_|ac_test_)[A-Za-z0-9]{16,}$/.test(k)`],
  ['a sentence', `throw new Error("Keys that begin with ac_live_ do not belong here")`],
  ['the end of a sentence', `throw new Error("This key begins with ac_live_.")`],
])('%s is no reason to parse', (_, script) => {
  expect(isWorth(script)).toBe(false)
})

test.each([
  ['is added to', `use("ac_live_"+rest)`],
  ['is compared and added to', `k.startsWith("ac_live_");use("ac_live_"+rest)`],
  ['is a name that is used otherwise', `const P='ac_live_';k.startsWith(P);use(P+rest)`],
  ['is the beginning of a template', `use(\`ac_live_\${rest}\`)`],
  ['is followed by a place for the rest', `use("ac_live_%s".replace("%s",rest),"ac_live_{0}")`],
  ['is the beginning of a key', `use("ac_live_9fK2"+"mQ7xLp3Rt8Wz1Bv6")`],
  ['is behind what divides', `use(1/2,"ac_live_"+rest)`],
])('a prefix that %s is one', (_, script) => {
  expect(isWorth(script)).toBe(true)
})

const sum = `use("ac_" + "live_" + "${key.slice(8)}")`
/** Each name is a sum of the one before it, which costs more than there is time for. */
const slow = `${'('.repeat(900)}1${')'.repeat(900)};`.repeat(4000)

test('reads scripts and maps one after the other in one thread', async () => {
  const reader = createScriptReader('ac_live_', 20)
  try {
    expect(await reader.fold(sum)).toMatchObject({ texts: [{ text: key }], problem: null })
    expect(await reader.fold('const a = ;')).toEqual({ texts: [], problem: 'unparsed' })
    expect(await reader.sources('{"sources":["a"],"sourcesContent":["let a"]}')).toEqual({
      sources: [{ name: 'a', content: 'let a' }],
      problem: null,
    })
  } finally {
    await reader.close()
  }
})

test('a script that takes too long is given up, the next one is folded, and after three no other is', async () => {
  const reader = createScriptReader('ac_live_', 0.001)
  try {
    expect(await reader.fold(slow)).toMatchObject({ texts: [], problem: 'time' })
    expect(await reader.fold(slow)).toMatchObject({ texts: [], problem: 'time' })
    expect(await reader.fold(slow)).toMatchObject({ texts: [], problem: 'time' })
    expect(await reader.fold(sum)).toMatchObject({ texts: [], problem: 'time' })
  } finally {
    await reader.close()
  }
})

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/='

function swapped(text: string): string {
  return Buffer.from(text)
    .toString('base64')
    .replace(/=+$/, '')
    .replace(/[A-Za-z]/g, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

const decoder = `for(let r,o,a=0,c=0;o=n.charAt(c++);~o&&(r=a%4?64*r+o:o,a++%4)?t+=String.fromCharCode(255&r>>(-2*a&6)):0)o="${alphabet}".indexOf(o);for(let n=0;n<t.length;n++)r+="%"+("00"+t.charCodeAt(n).toString(16)).slice(-2);return decodeURIComponent(r)`
const minifiedTurn = `!function(){const t=r();for(;;)try{if(159721==parseInt(n(476))/1+parseInt(n(464))/2)break;t.push(t.shift())}catch(n){t.push(t.shift())}}();`
const plainTurn = `(function(_0x3c1d,_0x52e0){const _0x1b7f=_0x3c1d();while(!![]){try{const _0x4a=parseInt(_0x3a1f(0x1dc))/0x1;if(_0x4a===_0x52e0)break;else _0x1b7f['push'](_0x1b7f['shift']());}catch(_0x2d9c){_0x1b7f['push'](_0x1b7f['shift']());}}}(_0x5f2a,0x26fe9));`
const list = (text: string) =>
  `function r(){const n=["${text}","${swapped('POST')}"];return(r=function(){return n})()}`

const obfuscated: Readonly<Record<string, string>> = {
  'strings under RC4, as they are': `${plainTurn}function _0x5f2a(){const _0x1=['W5tcQSoG','hCkFW7e'];_0x5f2a=function(){return _0x1;};return _0x5f2a();}`,
  'strings under RC4, minified': `${minifiedTurn}${list('W5tcQSoGhCkFW7e')};export const f=()=>fetch(n(482,"x2P)"))`,
  'a minifier that leaves the name out': `!function(){const t=r();for(;;)try{if(9==n(4))break;t.push(t.shift())}catch{t.push(t.shift())}}()`,
  'strings in base64 that are not turned': `${list('W5tc')}function e(n){let t="",r="";${decoder}}`,
}

test.each(Object.entries(obfuscated))('says that a script is obfuscated: %s', async (_, script) => {
  const { gaps } = await auditFiles({ 'app.js': script, 'app.html': `<script>${script}</script>` })
  expect(gaps).toMatchObject([{ rule: 'AUD-098', location: 'dist' }])
  expect(gaps[0]?.reason).toMatch(/^2 scripts, the first one dist\/app.html: a script obfuscated by/)
})

test.each([
  ['a queue that is turned', 'for(;;){try{run(t[0])}catch(n){t.push(t.pop())}t.push(t.shift())}'],
  ['two queues', 'try{run()}catch(n){t.push(r.shift())}'],
  ['a custom alphabet', `const letters="${alphabet}";export const pick=(n)=>letters[n]`],
  [
    'a usual decoder',
    'export const f=(t)=>decodeURIComponent(atob(t).split("").map((n)=>"%"+("00"+n.charCodeAt(0).toString(16)).slice(-2)).join(""))',
  ],
])('takes %s for no sign of it', async (_, script) => {
  const { gaps } = await auditFiles({ 'app.js': script })
  expect(gaps).toEqual([])
})

/** Decoders of the strings of a script, as the tools write them. */
const decoders = {
  JSFuck: `${'(![]+[])[+[]]+([![]]+[][[]])[+!+[]+[+[]]]+'.repeat(4)}[]`,
  jjencode: `$=~[];$={___:++$,$$$$:(![]+"")[$],__$:++$,$_$_:(![]+"")[$],_$_:++$,$_$$:({}+"")[$]};`,
  aaencode: `(ﾟДﾟ)['_']((ﾟДﾟ)['_'](ﾟεﾟ+(ﾟДﾟ)[ﾟoﾟ]+(ﾟДﾟ)[ﾟεﾟ]+(ﾟΘﾟ)+(ﾟДﾟ)[ﾟoﾟ])(ﾟΘﾟ))('_');`,
  'a packer': `eval(function(p,a,c,k,e,d){return p}('0 1',2,2,'use|key'.split('|'),0,{}))`,
  'js-confuser': `for(;;){n+=v*91;b|=v<<s,s+=(v&0x1fff)>0x58?0xd:0xe}`,
}
const minified = `for(;;)n+=91*v,b|=v<<s,s+=(v&8191)>88?13:14`
const seeded = 'Function("var a=(b|0x0)^0x9e3779b9,c=0x243f6a88|0x0,d=0x6a09e667|0x0")'

test.each([...Object.entries(decoders), ...[minified, seeded].map((script) => ['js-confuser', script])])(
  'reports a gap for a script that is obfuscated by %s',
  async (by, script) => {
    const { gaps } = await auditFiles({ 'a.js': script })
    expect(gaps).toMatchObject([{ rule: 'AUD-098', location: 'dist/a.js' }])
    expect(gaps[0]?.reason).toContain(`obfuscated by ${by},`)
  },
)

test('takes a library that decodes base91 for no obfuscator', async () => {
  const alphabet =
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&()*+,./:;<=>?@[]^_`{|}~"'
  const { gaps } = await auditFiles({ 'a.js': `const table='${alphabet}';${minified}` })
  expect(gaps).toEqual([])
})
