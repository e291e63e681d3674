import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildAsar } from '../testing/build-asar.ts'
import { buildZip } from '../testing/build-zip.ts'
import { joinScripts } from './links/join-scripts.ts'

const rest = key.slice(8)
const call = (secret: string) => `fetch("/rooms",{headers:{authorization:"Bearer "+${secret}}})`
type Program = Readonly<Record<string, string>>

/** Each has the end of a key in one script only. */
const programsWith = (rest: string): Readonly<Record<string, Program>> => ({
  'a constant of a chunk, as esbuild splits': {
    'chunk-HZ.js': 'var e="ac_live_",o=document.title;function n(){console.log(o)}export{e as a,n as b};',
    'lazy-SV.js': `import{a as e,b as o}from"./chunk-HZ.js";var i=()=>{o(),${call(`(e+"${rest}")`)}};export{i as go};`,
    'main.js': 'import("./lazy-SV.js").then(o=>o.go());',
  },
  'a constant of the entry, as Rollup splits': {
    'assets/lazy.js': `import{b as e,p as o}from"./main.js";const t=()=>{e(),${call(`o+"${rest}"`)}};export{t as go};`,
    'assets/main.js':
      'const o="ac_live_";function n(){console.log(1)}import("./lazy.js").then(e=>e.go());export{n as b,o as p};',
  },
  'the end of a key in a lazy chunk': {
    'main.js': `document.querySelector("b").onclick=async()=>{let{tail:t}=await import("./secret.js"),e="ac_live_"+t;${call('e')}};`,
    'secret.js': `var t="${rest}",o=Date.now();export{t as tail,o as when};`,
  },
  'an object of a chunk': {
    'a.js': `import{a as e}from"./cfg.js";export function s(){let o=[e.keys.head,e.keys.mid,"${rest.slice(12)}"].join("");${call('o')}}`,
    'cfg.js': `var o={keys:{head:"ac_live_",mid:"${rest.slice(0, 12)}"},region:navigator.language};export{o as a};`,
  },
  'a default export, a namespace and exports passed on': {
    'a.js': `import h from"./head.js";import*as r from"./all.js";${call('h(0)+r.tail')};`,
    'all.js': 'export*from"./tail.js";',
    'head.js': 'export default function head(i){return"ac_live_"+(i?document.title:"")}',
    'tail.js': `export const tail="${rest}";`,
  },
  'a prefix that is cut between chunks': {
    'a.js': `import{two as e}from"./two.js";${call(`e+"${rest}"`)};`,
    'one.js': 'export const one="ac_l",x=document.title;',
    'two.js': 'import{one as e}from"./one.js";export const two=e+"ive_";',
  },
  'a class of a chunk': {
    'a.js': `import{C as e}from"./client.js";new e("${rest}").call();`,
    'client.js': `var l=class e{constructor(t){this.key=e.prefix+t}static prefix="ac_live_";call(){${call('this.key')}}};export{l as C};`,
  },
  'modules of CommonJS': {
    'a.js': `const { head } = require('./lib/cfg');\n${call(`head + '${rest}'`)};\n`,
    'lib/cfg.js': "exports.head = 'ac_live_';\nexports.region = process.env.REGION;\n",
  },
  'chunks of webpack 5.112': {
    '166.js':
      '"use strict";(Array.isArray(self.webpackChunk)?self.webpackChunk:self.webpackChunk=[]).push([[166],{166(e,n,d){const o={head:"ac_live_"},r=navigator.language;d.d(n,["Y",0,r,"j",0,o])}}]);',
    '894.js': `"use strict";(Array.isArray(self.webpackChunk)?self.webpackChunk:self.webpackChunk=[]).push([[894],{894(e,a,t){t.d(a,{start:()=>s});var n=t(166);function s(){${call(`n.j.head+"${rest}"`)}}}}]);`,
    'main.js':
      '(()=>{var e={};function r(o){var n={exports:{}};return e[o](n,n.exports,r),n.exports}r.m=e;var o=Array.isArray(self.webpackChunk)?self.webpackChunk:self.webpackChunk=[];o.forEach(x=>{Object.assign(e,x[1])}),Promise.all([r.e(166),r.e(894)]).then(()=>r(894)).then(e=>e.start())})();',
  },
  'an object of a chunk of webpack that `import()` waits for': {
    '71.js': `"use strict";(Array.isArray(self.webpackChunk)?self.webpackChunk:self.webpackChunk=[]).push([[71],{71(a,e,s){s.d(e,["default",0,{tail:"${rest}",head:"ac_liv"}])}}]);`,
    'main.js': `(()=>{var e={};function r(o){var n={exports:{}};return e[o](n,n.exports,r),n.exports}r.m=e;var o=Array.isArray(self.webpackChunk)?self.webpackChunk:self.webpackChunk=[];o.forEach(x=>{Object.assign(e,x[1])});async function n(e){const{default:t}=await r.e(71).then(()=>r(71)),o=t.head+"e_"+t.tail;${call('o')}}globalThis.app=n})();`,
  },
  'chunks of Rspack, and of webpack before': {
    '45.js':
      '"use strict";(self.webpackChunkapp=self.webpackChunkapp||[]).push([[45],{45:(e,t,r)=>{r.d(t,{},{p:"ac_live_"})}}]);',
    '792.js': `"use strict";(self.webpackChunkapp=self.webpackChunkapp||[]).push([[792],{792:function(e,t,r){r.d(t,{go:function(){return i}});var n=r(45),i=function(){${call(`n.p+"${rest}"`)}}}}]);`,
  },
  'chunks of webpack 4': {
    '1.js':
      '(window.webpackJsonp=window.webpackJsonp||[]).push([[1],{12:function(e,t,n){"use strict";n.d(t,"a",(function(){return r}));var r="ac_live_"}}]);',
    '2.js': `(window.webpackJsonp=window.webpackJsonp||[]).push([[2],{31:function(e,t,n){"use strict";n.r(t);var r=n(12);${call(`r.a+"${rest}"`)}}}]);`,
  },
  'chunks of Turbopack, one of them lazy': {
    'static/chunks/a.js':
      '(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push(["object"==typeof document?document.currentScript:void 0,75187,t=>{"use strict";t.s(["X",0,{region:"eu"},"N",0,"ac_live_"])},57743,t=>{t.v(e=>Promise.all(["static/chunks/b.js"].map(e=>t.l(e))).then(()=>e(22961)))}]);',
    'static/chunks/b.js': `(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push(["object"==typeof document?document.currentScript:void 0,22961,e=>{"use strict";var t=e.i(75187);e.s(["go",0,e=>(e(t.X.region),${call(`t.N+"${rest}"`)})])}]);`,
  },
  'the end of a key in a lazy chunk of Turbopack': {
    'a.js':
      '(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push([document.currentScript,57743,t=>{t.v(e=>Promise.all(["b.js"].map(e=>t.l(e))).then(()=>e(22961)))},81,t=>{t.s(["default",0,async()=>{let{tail:e}=await t.A(57743),n="ac_live_"+e;' +
      `${call('n')}}])}]);`,
    'b.js': `(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push([document.currentScript,22961,e=>{e.s(["tail",0,"${rest}"])}]);`,
  },
  'a module that replaces its exports, in a chunk': {
    '1.js':
      '(self.webpackChunkapp=self.webpackChunkapp||[]).push([[1],{12:e=>{e.exports={head:"ac_live_",region:1}}}]);',
    '2.js': `(self.webpackChunkapp=self.webpackChunkapp||[]).push([[2],{31:(e,t,n)=>{const{head:r}=n(12);${call(`r+"${rest}"`)}}}]);`,
  },
  'modules of Metro, minified': {
    'main.jsbundle':
      `__d(function(g,r,i,a,m,e,d){"use strict";var n=r(d[0]),o=r(d[1]);globalThis.go=()=>{${call('n.PREFIX+o.default.tail')}}},594,[598,599]);\n` +
      `__d(function(g,r,i,a,m,e,d){"use strict";Object.defineProperty(e,'__esModule',{value:!0}),Object.defineProperty(e,"PREFIX",{enumerable:!0,get:function(){return t}});var t='ac_live_'},598,[]);\n` +
      `__d(function(c,e,_,f,i,l,n){Object.defineProperty(l,'__esModule',{value:!0}),l.default=void 0;var t=function(){return"${rest}"};l.default={get tail(){return t()}}},599,[]);\n__r(594);\n`,
  },
  'modules of Metro, as Babel writes them, one of them lazy': {
    'index.android.bundle':
      `__d(function (global, require, _$$_IMPORT_DEFAULT, _$$_IMPORT_ALL, module, exports, _dependencyMap) {\n  exports.key = undefined;\n  var _tail = require(_dependencyMap[0]);\n  var key = exports.key = () => 'ac_live_' + _tail.tail;\n},14,[15]);\n` +
      `__d(function (global, require, _$$_IMPORT_DEFAULT, _$$_IMPORT_ALL, module, exports, _dependencyMap) {\n  exports.tail = undefined;\n  var tail = exports.tail = "${rest}";\n},15);\n` +
      `__d(function (global, require, _$$_IMPORT_DEFAULT, _$$_IMPORT_ALL, module, exports, _dependencyMap) {\n  exports.go = async () => {\n    var { key } = await require(_dependencyMap[1])(_dependencyMap[0], _dependencyMap.paths);\n    ${call('key()')};\n  };\n},16,{"0":14,"1":17,"paths":{"14":"/lazy.js"}});\n`,
  },
  'modules of Metro that hand on what others export, as Babel and TypeScript write it': {
    'index.android.bundle':
      `__d(function (global, require, _$$_IMPORT_DEFAULT, _$$_IMPORT_ALL, module, exports, _dependencyMap) {\n  var calls = require(_dependencyMap[0]);\n  function dial() {\n    ${call('calls.prefix + calls.id()')};\n  }\n},12,[13]);\n` +
      `__d(function (global, require, _$$_IMPORT_DEFAULT, _$$_IMPORT_ALL, module, exports, _dependencyMap) {\n  var _a = require(_dependencyMap[0]);\n  Object.keys(_a).forEach(function (key) {\n    if (key in exports && exports[key] === _a[key]) return;\n    Object.defineProperty(exports, key, {\n      enumerable: true,\n      get: function () {\n        return _a[key];\n      }\n    });\n  });\n},13,[14]);\n` +
      `__d(function (global, require, _$$_IMPORT_DEFAULT, _$$_IMPORT_ALL, module, exports, _dependencyMap) {\n  __exportStar(require(_dependencyMap[0]), exports);\n  exports.prefix = "ac_" + "live_";\n},14,[15]);\n` +
      `__d(function (global, require, _$$_IMPORT_DEFAULT, _$$_IMPORT_ALL, module, exports, _dependencyMap) {\n  var id = exports.id = () => "${rest}";\n},15);\n__r(12);\n`,
  },
  'modules of Metro with a class, and the helpers of Babel': {
    'index.android.bundle':
      `__d(function(g,r,i,a,m,e,d){m.exports=function(e){return e&&e.__esModule?e:{default:e}},m.exports.__esModule=!0,m.exports.default=m.exports},6);\n` +
      `__d(function(g,_r,_i,a,m,_e,d){function e(e,r){for(var t=0;t<r.length;t++){var o=r[t];"value"in o&&(o.writable=!0),Object.defineProperty(e,_r(d[0])(o.key),o)}}m.exports=function(r,t){return e(r.prototype,t),r},m.exports.__esModule=!0,m.exports.default=m.exports},52,[53]);\n` +
      `__d(function(g,_r,i,a,m,e,d){m.exports=function(t){var o=_r(d[0])(t,"string");return"symbol"==_r(d[1]).default(o)?o:o+""},m.exports.__esModule=!0,m.exports.default=m.exports},53,[54,55]);\n` +
      `__d(function(g,_r,_i,a,m,_e,d){m.exports=function(e,t){if("object"!=_r(d[0]).default(e)||!e)return e;var r;if("undefined"!=typeof Symbol&&void 0!==(r=e[Symbol.toPrimitive])){var i=r.call(e,t||"default");if("object"!=_r(d[0]).default(i))return i;throw new TypeError("@@toPrimitive must return a primitive value.")}return("string"===t?String:Number)(e)},m.exports.__esModule=!0,m.exports.default=m.exports},54,[55]);\n` +
      `__d(function(g,r,i,a,m,e,d){function o(t){return m.exports=o=function(o){return typeof o},m.exports.__esModule=!0,m.exports.default=m.exports,o(t)}m.exports=o,m.exports.__esModule=!0,m.exports.default=m.exports},55);\n` +
      `__d(function(g,r,i,a,m,e,d){var t=r(d[0]),u=t(r(d[1])),l=new WeakMap,f=(function(){return(0,u.default)(function t(u){l.set(this,u)},[{key:"text",get:function(){return l.get(this)}}])})();globalThis.go=()=>{${call(`new f('ac_live_').text+new f("${rest}").text`)}}},297,[6,52]);\n__r(297);\n`,
  },
  'modules of Metro that hand on by getters, beside many that a page needs': {
    'index.android.bundle':
      `__d(function(g,r,i,a,m,e,d){var t=r(d[0]);globalThis.go=()=>{${call('t.first+t.second+t.third')}}},16,[17]);\n` +
      `__d(function(g,r,i,a,m,e,d){var o=r(d[1]);Object.defineProperty(e,"first",{enumerable:!0,get:function(){return r(d[0]).first}}),Object.defineProperty(e,"second",{enumerable:!0,get:function(){return o.default}}),Object.keys(r(d[2])).forEach(function(t){t in e&&e[t]===r(d[2])[t]||Object.defineProperty(e,t,{enumerable:!0,get:function(){return r(d[2])[t]}})})},17,[18,19,20]);\n` +
      `__d(function(g,r,i,a,m,e,d){e.first='ac_li'},18);\n__d(function(g,r,i,a,m,e,d){e.default='ve_'},19);\n__d(function(g,r,i,a,m,e,d){e.third='${rest}'},20);\n` +
      `__d(function(g,r,i,a,m,e,d){${Array.from({ length: 60 }, (_, at) => `r(d[${at + 1}])`).join(';')}},1,[16,${Array.from({ length: 60 }, (_, at) => 100 + at).join()}]);\n` +
      Array.from({ length: 60 }, (_, at) => `__d(function(g,r,i,a,m,e,d){},${100 + at});\n`).join('') +
      '__r(1);\n',
  },
  'modules of Metro that halve base64': {
    'index.android.bundle':
      `__d(function (global, require, _$$_IMPORT_DEFAULT, _$$_IMPORT_ALL, module, exports, _dependencyMap) {\n  var _right = require(_dependencyMap[0]);\n  function dial() {\n    ${call(`_right.decode("YWNfbGl2Z" + _right.right) + "${rest}"`)};\n  }\n},12,[15]);\n` +
      `__d(function (global, require, _$$_IMPORT_DEFAULT, _$$_IMPORT_ALL, module, exports, _dependencyMap) {\n  exports.right = exports.decode = undefined;\n  var right = exports.right = "V8=";\n  var decode = s => atob(s);\n  exports.decode = decode;\n},15);\n__r(12);\n`,
  },
  'modules of chunks of Parcel': {
    'index.html':
      '<script type=importmap>{"imports":{"lVZch":"./lazy.js","aBcDe":"./tail.js"}}</script><script type=module src=main.js></script>',
    'lazy.js': `function e(e,t,r,i){Object.defineProperty(e,t,{get:r,set:i,enumerable:!0,configurable:!0})}var t=globalThis.parcelRequire94c2,r=t.register;r("fKftu",function(r,i){e(r.exports,"key",()=>l);var c=t("dCMWs");let l=()=>"ac_live_"+c.tail});`,
    'tail.js': `function e(e,t,r,i){Object.defineProperty(e,t,{get:r,set:i,enumerable:!0,configurable:!0})}globalThis.parcelRequire94c2.register("dCMWs",function(t,r){e(t.exports,"tail",()=>i);let i="${rest}"});`,
    'main.js': `var e=globalThis,r={},t={},n=e.parcelRequire94c2;null==n&&((n=function(e){if(e in r)return r[e].exports;if(e in t){var n=t[e];delete t[e];var o={id:e,exports:{}};return r[e]=o,n.call(o.exports,o,o.exports),o.exports}throw Error(e)}).register=function(e,r){t[e]=r},e.parcelRequire94c2=n),(0,n.register)("fs8Qx",function(e,r){e.exports=import("lVZch").then(()=>n("fKftu"))}),globalThis.go=async function(){let{key:e}=await n("fs8Qx");${call('e()')}};`,
  },
  'modules of SystemJS, one of them loaded later': {
    'brand.js':
      'System.register([], function (exports) {\n\treturn {\n\t\texecute: (function () {\n\t\t\texports("default", "ac_" + "live" + "_");\n\t\t})\n\t};\n});\n',
    'entry.js': `System.register(['./id.js'], function (exports, module) {\n  var id;\n  return {\n    setters: [function (module) {\n      id = module.id;\n    }],\n    execute: (function () {\n      const load = () => module.import('./brand.js').then((module) => module.default);\n      async function start() {\n        ${call('(await load() + id)')};\n      }\n      exports('start', start);\n    })\n  };\n});\n`,
    'id.js': `System.register([], function (exports) {\n  return {\n    execute: (function () {\n      exports({ id: "${rest}", when: Date.now() });\n    })\n  };\n});\n`,
  },
  'modules of SystemJS, minified for old browsers': {
    'brand.js':
      '(function(){System.register([],function(e,t){return{setters:[],execute:function(){e(`default`,`ac_live_`)}}})})();',
    'index.js': `(function(){function n(e){return e}System.register([\`./id.js\`],function(t,r){var l,u,v;return{setters:[e=>{v=e.v}],execute:function(){l={brand:function(){return n(r.import(\`./brand.js\`))}},u=function(e){return l[e]().then(function(e){return e.default})},globalThis.go=async function(){${call('(await u("brand")+v)')}}}}})})();`,
    'id.js': `System.register([],function(e){return{execute:function(){e("v","${rest}")}}});`,
  },
  'modules of CommonJS in one script of webpack': {
    'main.js': `(()=>{var e={45:e=>{e.exports={tail:"${rest}"}},31:(e,t,n)=>{const r=n(45);t.go=()=>{${call('"ac_live_"+r.tail')}}}},t={};function n(r){var o=t[r];if(void 0!==o)return o.exports;var i=t[r]={exports:{}};return e[r](i,i.exports,n),i.exports}n(31).go()})();`,
  },
  'scripts of one page that share a global': {
    'app.js': `${call(`window.APP.p+"${rest}"`)}`,
    'config.js': 'window.APP={p:"ac_live_",region:"eu"};',
    'index.html': '<!doctype html><script src="config.js"></script><script src="/app.js"></script>',
  },
})

const programs = programsWith(rest)
const filling = Array.from(
  { length: 400 },
  (_, index) => `function fill${index}(e){return e.map(t=>t+${index})}\n`,
).join('')

test.each(Object.keys(programs))('finds a key that is put together out of %s', async (name) => {
  const { findings, gaps } = await auditFiles(programs[name] ?? {})
  const keys = findings.filter(({ kind }) => kind === 'key')
  expect(keys).toMatchObject([{ rule: 'AUD-005', length: key.length, decoder: 'folded' }])
  const isOne = Object.keys(programs[name] ?? {}).length === 1
  expect((keys[0]?.also ?? []).length > 0).toBe(!isOne)
  expect({ gaps, prefixes: findings.filter(({ kind }) => kind === 'prefix') }).toEqual({
    gaps: [],
    prefixes: [],
  })
})

test.each(Object.keys(programs))(
  'finds a key in long scripts that is put together out of %s',
  async (name) => {
    const long = Object.entries(programs[name] ?? {}).map(([file, text]) => [
      file,
      /html$/.test(file) ? text : /bundle$/.test(file) ? `${filling}${text}` : `${text}\n${filling}`,
    ])
    const { findings, gaps } = await auditFiles(Object.fromEntries(long))
    const keys = findings.filter(({ kind }) => kind === 'key')
    expect(keys).toMatchObject([{ rule: 'AUD-005', length: key.length, decoder: 'folded' }])
    expect(gaps).toEqual([])
  },
)

test.each(Object.keys(programs))('reports no name that is put together out of %s', async (name) => {
  const { findings, gaps } = await auditFiles(programsWith('room_player_title_of_a_call')[name] ?? {})
  expect({ gaps, keys: findings.filter(({ level }) => level === 'error') }).toEqual({ gaps: [], keys: [] })
})

const entry = 'a constant of a chunk, as esbuild splits'

test('names both scripts, at the place where the key is put together', async () => {
  const { findings } = await auditFiles(programs[entry] ?? {})
  expect(findings).toMatchObject([{ location: 'dist/lazy-SV.js', line: 1, also: ['dist/chunk-HZ.js'] }])
})

const contents = Object.entries(programs[entry] ?? {}).map(([name, text]) => ({
  name,
  bytes: Buffer.from(text),
}))

function asarOf(files: typeof contents): Buffer {
  let offset = 0
  const entries = files.map(({ name, bytes }) => {
    const at = { size: bytes.length, offset: String(offset) }
    offset += bytes.length
    return [name, at] as const
  })
  return buildAsar({ files: Object.fromEntries(entries) }, Buffer.concat(files.map(({ bytes }) => bytes)))
}

test.each([
  ['a zip', 'app.zip', buildZip(contents)],
  ['an asar archive', 'app.asar', asarOf(contents)],
])('finds it in the scripts of %s', async (_, name, content) => {
  const { findings } = await auditFiles({ [name]: content })
  expect(findings.filter(({ kind }) => kind === 'key')).toMatchObject([
    { location: `dist/${name}!lazy-SV.js`, also: [`dist/${name}!chunk-HZ.js`] },
  ])
})

test('joins no scripts that do not import each other', async () => {
  const { findings } = await auditFiles({
    'a.js': 'export const e="ac_live_";',
    'b.js': `import{e}from"./other.js";use(e+"${rest}");`,
  })
  expect(findings).toMatchObject([{ rule: 'AUD-004', location: 'dist/a.js' }])
})

test('finds a call of the mint whose host another chunk has', async () => {
  const { findings } = await auditFiles(
    {
      'a.js': 'import{API as a,T as t}from"./paths.js";export const go=()=>fetch(a+t,{method:"POST"});',
      'paths.js': 'export const API="https://mint.example",T="/api/v1/calling/token";',
    },
    { mintHost: 'mint.example' },
  )
  expect(findings.filter(({ level }) => level === 'error')).toMatchObject([
    { rule: 'AUD-020', location: 'dist/a.js', also: ['dist/paths.js'] },
  ])
})

test('reports nothing of a guard that another chunk calls', async () => {
  const { findings, gaps } = await auditFiles({
    'a.js': `import{g}from"./guard.js";if(g("x"))throw Error("${rest}");`,
    'guard.js': 'export const g=k=>k.startsWith("ac_live_");',
  })
  expect(gaps).toEqual([])
  expect(findings).toMatchObject([{ rule: 'AUD-004', level: 'warning' }])
})

test.each([
  [3, false],
  [2000, true],
])('scripts that import all of %i exports as often are too long to be one: %s', (count, isTooLong) => {
  const many = Array.from({ length: count }, (_, index) => index)
  const texts = [
    many.map((index) => `export const name${index} = ${index}`).join('\n'),
    many.map(() => 'import("./a.js")').join('\n'),
  ]
  const scripts = texts.map((text, index) => ({
    location: `${index}.js`,
    bytes: Buffer.from(text),
    base: 0,
    resolve: () => 0,
  }))
  expect(joinScripts(scripts) === null).toBe(isTooLong)
})
