import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

const tail = key.slice(8)
const sum = `'ac_' + 'live_' + '${tail}'`
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const page = (body: string) => `<!doctype html><html><body>${body}</body></html>`

const files: Readonly<Record<string, readonly [name: string, text: string]>> = {
  'a handler with entities': [
    'a.html',
    page(`<p onclick="go(&quot;ac_&quot;+&#34;live_&quot; + &quot;${tail}&quot;)"></p>`),
  ],
  'a script in an attribute, in base64': [
    'a.html',
    page(`<script src="data:text/javascript;base64,${base64(`go(${sum})`)}"></script>`),
  ],
  'a link that is a script': ['a.html', page(`<a href="javascript:go(${encodeURIComponent(sum)})">x</a>`)],
  'a worker of an address': [
    'a.js',
    `new Worker("data:text/javascript,${encodeURIComponent(`go(${sum.replaceAll("'", '"')})`)}")`,
  ],
  'a module of an address in base64': [
    'a.js',
    `await import("data:application/javascript;charset=utf-8;base64,${base64(`go(${sum})`)}")`,
  ],
  'a worker of a blob': [
    'a.js',
    `new Worker(URL.createObjectURL(new Blob(["const k = ", "${sum}; go(k)"])))`,
  ],
  'flight data that tears the prefix': [
    'a.html',
    page(
      `<script>self.__next_f.push([1,"a:[\\"$\\",{\\"k\\":\\"ac_li"])</script><script>self.__next_f.push([1,"ve_${tail}\\"}]"])</script>`,
    ),
  ],
  'markup in the prefix': ['a.html', page(`<p>ac_<b></b>live_${tail}</p>`)],
  'a comment in the prefix': [
    'a.html',
    page(`<p>ac_<!-- -->live_${tail.slice(0, 9)}<!-- -->${tail.slice(9)}</p>`),
  ],
  'base64 of data without a header': [
    'a.js',
    `export const s = "${base64(deflateRawSync(`{"name":"calling","key":"${key}","host":"api.acme.example"}`))}"`,
  ],
  'data of a property list in short lines': [
    'a.plist',
    `<?xml version="1.0"?><plist><dict><key>k</key>\n\t\t\t<data>\n${base64(`the key is ${key}`).replace(
      /.{20}/g,
      '\t\t\t$&\n',
    )}\t\t\t</data></dict></plist>`,
  ],
}

test.each(Object.entries(files))('finds a key in %s', async (_, [name, text]) => {
  const { findings } = await auditFiles({ [name]: text })
  expect(findings).toMatchObject([{ level: 'error', length: key.length }])
})

test.each<readonly [string, string, string]>([
  [
    'a name in a handler',
    'a.html',
    page('<p onclick="go(&quot;ac_&quot;+&quot;live_room_title&quot;)"></p>'),
  ],
  ['words in several elements', 'a.html', page('<b>ac_live_</b><i>room</i><b>ac_</b><i>live_</i> now')],
  ['a usual blob', 'a.js', 'new Blob(["ac_", "live_", name])'],
])('takes %s for no key', async (_, name, text) => {
  const { findings } = await auditFiles({ [name]: text })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})
