import { expect, test } from 'vitest'
import { auditFiles } from '../testing/audit-files.ts'

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
  ['an alphabet of its own', `const letters="${alphabet}";export const pick=(n)=>letters[n]`],
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
