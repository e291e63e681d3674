import { expect, test } from 'vitest'
import { auditFiles, key } from '../../testing/audit-files.ts'
import { withEvalsInlined } from './inline-evals.ts'

const tail = key.slice(8)
const define =
  'load.d = (e, g) => { for (var n in g) Object.defineProperty(e, n, { enumerable: true, get: g[n] }) }'
const runtime = `var cache = {}; function load(id) { var m = cache[id]; if (m !== undefined) return m.exports; m = cache[id] = { exports: {} }; modules[id](m, m.exports, load); return m.exports } load.m = modules; ${define}`
const inEval = (code: string) => `eval(${JSON.stringify(`{${code}\n//# sourceURL=x\n}`)});`
const exporting = (name: string, value: string) =>
  inEval(`load.d(exports, { "${name}": () => (__DEFAULT__) });\nconst __DEFAULT__ = (${value});`)

test('finds a key that modules of a build for development put together, each of them a string', async () => {
  const { findings, gaps } = await auditFiles({
    'app.js': `(() => {\nvar modules = ({\n"./en.js"(module, exports, load) {\n${exporting('default', `{ stage: "live", key: "ac_{stage}_${tail}" }`)}\n},\n"./main.js"(module, exports, load) {\n${inEval('load.d(exports, { dial: () => (dial) });\nvar en = load("./en.js");\nconst all = { en: en["default"] };\nfunction dial() { return all["en"].key.replace(/\\{(\\w+)\\}/g, (_, name) => all["en"][name]) }')}\n}\n});\n${runtime}\nload("./main.js") })()`,
  })
  expect(gaps).toEqual([])
  expect(findings).toMatchObject([{ level: 'error', length: key.length, line: 7 }])
})

test('finds a key in chunks of such a build that are loaded when they are needed', async () => {
  const chunk = (id: string, value: string) =>
    `"use strict";\n(self["chunks"] = self["chunks"] || []).push([["${id}"], {\n"./${id}.js"(module, exports, load) {\n${exporting('default', value)}\n}\n}]);`
  const { findings } = await auditFiles({
    'main.js': `(() => {\nvar modules = ({\n"./main.js"(module, exports, load) {\n${inEval('load.d(exports, { dial: () => (dial) });\nconst loaders = { brand: () => load.e("brand").then(load.bind(load, "./brand.js")), id: () => load.e("id").then(load.bind(load, "./id.js")) };\nconst get = (name) => loaders[name]().then((module) => module.default);\nasync function dial() { return await get("brand") + await get("id") }')}\n}\n});\n${runtime}\nvar list = self["chunks"] = self["chunks"] || []; load("./main.js") })()`,
    'brand.js': chunk('brand', '"ac_" + "live" + "_"'),
    'id.js': chunk('id', `"${tail}"`),
  })
  expect(findings.filter(({ level }) => level === 'error')).toMatchObject([{ length: key.length }])
})

test('leaves every place where it is, and what is no string of a call alone', () => {
  const script =
    'a();eval("{b(\\"c\\")\\n//# sourceURL=x\\n}");d();"eval(\\"e\\")";f.eval("g");eval(h);eval("i'
  const inlined = withEvalsInlined(script)
  expect(inlined).toHaveLength(script.length)
  expect(inlined?.replace(/\s+/g, ' ')).toBe(
    'a(); b("c") //# sourceURL=x ; ;d();"eval(\\"e\\")";f.eval("g");eval(h);eval("i',
  )
  expect(inlined?.indexOf('d()')).toBe(script.indexOf('d()'))
  expect(withEvalsInlined('const a = eval("1"), b = "eval"')).toBeNull()
})
