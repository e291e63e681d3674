import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { type Builder, decoyNames, decoyValues, type Ledger } from '../builder.ts'
import { hexEscapes, plain, textEncodings, unicodeEscapes } from '../encodings.ts'

const half = (key: string) => [key.slice(0, 11), key.slice(11)] as const

/** A page whose scripts put keys together as developers do; the bundler rewrites them as it likes. */
function sourceOf(ledger: Ledger): string {
  const own = (slot: string) => ledger.key(slot)
  const [first, second] = half(own('concatenation'))
  const template = own('template')
  const joined = own('join')
  const codes = own('character codes')
  const reversed = own('reversed at run time')
  const coded = Buffer.from(own('atob')).toString('base64')
  const [here] = half(own('constant in another module'))
  const values = [
    ...[...textEncodings, hexEscapes, unicodeEscapes].map(
      (encoding) => `"${ledger.text('string', encoding)}"`,
    ),
    ...decoyValues.map((text) => JSON.stringify(text)),
    '"ac_live_" + prompt()',
  ]
  return `import { tail } from './tail.js'
const ids = { ${decoyNames.map((name) => `${name}: 1`).join(', ')} }
const live = "live"
window.all = [${values.join(', ')}, ids, /^ac_live_[A-Za-z0-9_-]{24,}$/, import.meta.env.VITE_KEY]
fetch("/a", { headers: { authorization: "Bearer " + "${first}" + "${second}" } })
fetch("/b", { headers: { authorization: \`Bearer ac_\${live}_${template.slice(8)}\` } })
fetch(["ac", live, "${joined.slice(8)}"].join("_"))
fetch(String.fromCharCode(${[...Buffer.from(codes)].join(', ')}))
fetch("${[...reversed].reverse().join('')}".split("").reverse().join(""))
fetch(atob("${coded}"))
fetch("${here}" + tail)
`
}

export const web: Builder = {
  name: 'vite',
  async build({ work, ledger }) {
    const own = ledger()
    const variable = own.key('replaced environment variable')
    const script = sourceOf(own)
    const tail = own.planted.find(({ slot }) => slot === 'constant in another module')?.key.slice(11) ?? ''
    const inline = half(own.key('inline script'))
    const page = `<!doctype html><html><head><meta name="key" content="${own.text('attribute', plain)}"></head>
<body class="ac_live_room_player_title"><script>fetch("${inline[0]}" + "${inline[1]}")</script>
<script type="module" src="./main.js"></script></body></html>`
    await mkdir(join(work, 'app'), { recursive: true })
    await writeFile(join(work, 'app/index.html'), page)
    await writeFile(join(work, 'app/main.js'), script)
    await writeFile(join(work, 'app/tail.js'), `export const tail = "${tail}"\n`)
    await writeFile(join(work, 'app/.env'), `VITE_KEY=${variable}\n`)
    await build({
      root: join(work, 'app'),
      configFile: false,
      logLevel: 'silent',
      build: { outDir: join(work, 'dist'), emptyOutDir: true, sourcemap: true },
    })
    const assets = join(work, 'dist/assets')
    const bytesOf = async (ending: string) => {
      const name = (await readdir(assets)).find((file) => file.endsWith(ending)) ?? ending
      return await readFile(join(assets, name))
    }
    const inPage = (slot: string) => slot === 'inline script' || slot === 'attribute'
    // The map contains only literals of the source; the environment is replaced afterwards.
    const inMap = ({ slot }: { slot: string }) =>
      !inPage(slot) && slot !== 'replaced environment variable' && slot !== 'constant in another module'
    return [
      {
        format: 'html',
        name: 'index.html',
        bytes: await readFile(join(work, 'dist/index.html')),
        planted: own.planted.filter(({ slot }) => inPage(slot)),
      },
      {
        format: 'javascript',
        name: 'index.js',
        bytes: await bytesOf('.js'),
        planted: own.planted.filter(({ slot }) => !inPage(slot)),
      },
      {
        format: 'source-map',
        name: 'bundle.js.map',
        bytes: await bytesOf('.js.map'),
        planted: own.planted.filter(inMap),
      },
    ]
  },
}
