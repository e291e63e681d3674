import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Builder, decoyNames, decoyValues, type Ledger, tellingLengths } from '../builder.ts'
import { characterReferences, plain, textEncodings, unicodeEscapes } from '../encodings.ts'
import { run } from '../tools.ts'

const escaped = (text: string) => text.replaceAll('<', '&lt;')

function propertyList(ledger: Ledger): string {
  const strings = [
    ...textEncodings.map((encoding) => ledger.text('string', encoding)),
    ...tellingLengths.map((length) => ledger.key('string', length)),
    `\u00fc ${ledger.key('UTF-16 string')}`,
    ...decoyValues.map(escaped),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
${strings.map((text, at) => `<key>k${at}</key><string>${text}</string>`).join('\n')}
${decoyNames.map((name) => `<key>${name}</key><integer>2</integer>`).join('\n')}
<key>nested</key><array><dict><key>deep</key><string>${ledger.key('nested string')}</string></dict></array>
<key>blob</key><data>${Buffer.from(ledger.key('data')).toString('base64')}</data>
</dict></plist>
`
}

export const propertyLists: Builder = {
  name: 'plistutil',
  async build({ work, ledger }) {
    const [binary, xml, python] = [ledger(), ledger(), ledger()]
    await writeFile(join(work, 'a.xml'), propertyList(binary))
    await run('plistutil', ['-i', 'a.xml', '-o', 'Info.plist', '-f', 'bin'], { cwd: work })
    await writeFile(join(work, 'b.xml'), propertyList(python))
    const program =
      'import plistlib as p;p.dump(p.load(open("b.xml","rb")),open("b.plist","wb"),fmt=p.FMT_BINARY)'
    await run('python3', ['-c', program], { cwd: work })
    const read = (name: string) => readFile(join(work, name))
    return [
      {
        format: 'binary-plist',
        name: 'Info.plist',
        bytes: await read('Info.plist'),
        planted: binary.planted,
      },
      {
        format: 'binary-plist by Python',
        name: 'Python.plist',
        bytes: await read('b.plist'),
        planted: python.planted,
      },
      {
        format: 'plist',
        name: 'Entitlements.plist',
        bytes: Buffer.from(propertyList(xml)),
        planted: xml.planted,
      },
    ]
  },
}

export const databases: Builder = {
  name: 'sqlite3',
  async build({ work, ledger }) {
    const built = []
    for (const encoding of ['UTF-8', 'UTF-16le', 'UTF-16be']) {
      const own = ledger()
      const texts = [
        ...textEncodings.map((one) => own.text('row', one)),
        ...tellingLengths.map((length) => own.key('row', length)),
        ...decoyValues,
      ]
      const name = `${encoding}.sqlite`
      const rows = texts.map((text) => `insert into t values ('${text}');`).join('')
      const sql = `pragma encoding='${encoding}';create table t (ac_live_room_player_title text);${rows}`
      await run('sqlite3', [name, sql], { cwd: work })
      built.push({
        format: `sqlite ${encoding}`,
        name,
        bytes: await readFile(join(work, name)),
        planted: own.planted,
      })
    }
    return built
  },
}

/** Texts that no tool makes. */
export const texts: Builder = {
  name: 'texts',
  build({ ledger }) {
    const write = (format: string, name: string, render: (ledger: Ledger) => string | Buffer) => {
      const own = ledger()
      return { format, name, bytes: Buffer.from(render(own)), planted: own.planted }
    }
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
    const lines = (own: Ledger) =>
      [
        ...textEncodings.map((encoding, at) => `"k${at}" = "${own.text('value', encoding)}";`),
        ...decoyNames.map((name) => `"${name}" = "Live";`),
      ].join('\n')
    return Promise.resolve([
      write('env', '.env.production', (own) =>
        textEncodings.map((one, at) => `KEY_${at}=${own.text('variable', one)}`).join('\n'),
      ),
      write('strings', 'Localizable.strings', lines),
      write('strings UTF-16LE', 'Little.strings', (own) => utf16(lines(own))),
      write('strings UTF-16BE', 'Big.strings', (own) => utf16(lines(own)).swap16()),
      write('json', 'config.json', (own) => {
        const values = [...textEncodings, unicodeEscapes].map(
          (one, at) => `"k${at}":"${own.text('value', one)}"`,
        )
        const decoys = decoyValues.map((text, at) => `"d${at}":${JSON.stringify(text)}`)
        return `{${[...values, ...decoys, ...decoyNames.map((name) => `"${name}":1`)].join(',')}}`
      }),
      write('xml', 'config.xml', (own) => {
        const values = [...textEncodings, characterReferences].map(
          (one) => `<v a="${own.text('attribute', one)}">${own.text('text', one)}</v>`,
        )
        return `<?xml version="1.0"?><c ac_live_room_player_title="1">${values.join('')}${decoyValues.map((text) => `<d>${escaped(text)}</d>`).join('')}</c>`
      }),
      write(
        'css',
        'app.css',
        (own) =>
          `.ac_live_room_player_title{color:red}.ac_live_badge2:after{content:"${own.text('content', plain)}"}`,
      ),
      write('yaml', 'app.yaml', (own) =>
        textEncodings.map((one, at) => `k${at}: ${own.text('value', one)}`).join('\n'),
      ),
      write(
        'markdown',
        'README.md',
        (own) => `${decoyValues.join('\n')}\n\n    export KEY=${own.key('code')}\n`,
      ),
    ])
  },
}
