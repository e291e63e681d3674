import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

const define = `function p(t,e,n){return e in t?Object.defineProperty(t,e,{value:n,enumerable:!0,configurable:!0,writable:!0}):t[e]=n,t}`
const own = `function n(t,e){var r=Object.keys(t);if(Object.getOwnPropertySymbols){var n=Object.getOwnPropertySymbols(t);e&&(n=n.filter(function(e){return Object.getOwnPropertyDescriptor(t,e).enumerable})),r.push.apply(r,n)}return r}`
const pass = (test: string, one: string, other: string) =>
  `function o(t){for(var e=1;e<arguments.length;e++){var r=null!=arguments[e]?arguments[e]:{};${test}?${one}:${other}}return t}`
const each = 'n(Object(r),!0).forEach(function(e){p(t,e,r[e])})'
const all = 'Object.defineProperties(t,Object.getOwnPropertyDescriptors(r))'
const one =
  'n(Object(r)).forEach(function(e){Object.defineProperty(t,e,Object.getOwnPropertyDescriptor(r,e))})'
const inherit = `function h(t,e){t.prototype=Object.create(e.prototype,{constructor:{value:t,writable:!0}}),Object.setPrototypeOf(t,e)}function g(t,e,n){var r=Reflect.get(Object.getPrototypeOf(t.prototype),e,n);return function(t){return r.apply(n,t)}}function s(t,e){return Reflect.construct(Object.getPrototypeOf(e),[],Object.getPrototypeOf(t).constructor)}`

const wait =
  'function w(g){return new Promise(function(r){function n(v){var s=g.next(v);s.done?r(s.value):Promise.resolve(s.value).then(n)}n()})}'

/** Properties by the same names, so that the names alone give no value. */
const others = 'var y={a:read(),b:read()};y.a=y.b;y.b=read();y.A=y.b;y.B=y.a;'

/** Code as compilers for old browsers and minifiers write it around two pieces of a key. */
const forms: Readonly<Record<string, (head: string, tail: string) => string>> = {
  'a spread of objects': (head, tail) =>
    `!function(){${define}${own}${pass('e%2', each, all)}${others}var k=o(o({},{a:"${head}"}),{},{b:"${tail}"}),u=k.a+k.b;send(u)}()`,
  'a spread of objects, property by property': (head, tail) =>
    `!function(){${define}${own}${pass('e%2', each, one)}${others}var k=o(o({},{a:"${head}"}),{},{b:"${tail}"}),u=k.a+k.b;send(u)}()`,
  'names that are declared behind the end of their function': (head, tail) =>
    `!function(){${others}function r(t){return t+""}var d=Object.defineProperty,c=function(){function t(){}return e=t,(r=[{key:"key",get:function(){return t.A+t.B}}])&&function(t,e){for(var n=0;n<e.length;n++)d(t,a(e[n].key),e[n])}(e,r),e;var e,r}();function a(t){return r(t)}c.A="${head}";c.B="${tail}";send(c.key)}()`,
  'a method of a class that another one extends': (head, tail) =>
    `!function(){${inherit}var A=function(){function t(){}return t.prototype.prefix=function(){return"${head}"},t}(),B=function(t){function e(){var t=s(this,e);return t.id="${tail}",t}return h(e,t),e.prototype.key=function(){return g(e,"prefix",this)([])+this.id},e}(A);send(new B().key())}()`,
  'an async function that waits for another': (head, tail) =>
    `!function(){${wait}function b(){return w({next:function(){return{value:"${tail}",done:!0}}})}var s=0;w({next:function(t){return s++?{value:send("${head}"+t),done:!0}:{value:b(),done:!1}}})}()`,
  'a method that a helper defines, and nothing calls': (head, tail) =>
    `window.A=function(){function t(){this.head="${head}"}return[{key:"tail",value:function(){return"${tail}"}},{key:"key",value:function(){return send(this.head+this.tail())}}].forEach(function(e){Object.defineProperty(t.prototype,e.key,e)}),t}()`,
}

test.each(Object.entries(forms))('finds the key in %s', async (_, write) => {
  const { findings, gaps } = await auditFiles({ 'a.js': write('ac_live_', key.slice(8)) })
  const errors = findings.filter(({ level }) => level === 'error')
  expect(errors.map(({ rule, length }) => [rule, length])).toEqual([['AUD-005', key.length]])
  expect(gaps).toEqual([])
})

test.each(Object.entries(forms))('accuses no other text in %s', async (_, write) => {
  const { findings, gaps } = await auditFiles({
    'placeholder.js': write('ac_live_', '<your key>'),
    'test.js': write('ac_test_', key.slice(8)),
  })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
  expect(gaps).toEqual([])
})
