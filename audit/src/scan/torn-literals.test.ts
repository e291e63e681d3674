import { expect, test } from 'vitest'
import { fingerprintOf } from '../model/fingerprint.ts'
import { auditFiles, key } from '../testing/audit-files.ts'

const [head, tail] = [key.slice(0, 14), key.slice(14)]

const torn: Readonly<Record<string, readonly [name: string, text: string]>> = {
  'literals of C': ['a.c', `const char *k = "${head}"\n  "${tail}";`],
  'literals of Python': ['a.py', `KEY = ('${head}'\n       '${tail}')`],
  'literals of Python with a letter before them': ['a.py', `KEY = b'${head}' b'${tail}'`],
  'words of a shell': ['a.sh', `export KEY="ac_live_""${key.slice(8)}"\n`],
  'lines of a translation': ['a.po', `msgid "k"\nmsgstr ""\n"${head}"\n"${tail}"\n`],
  'sections of CDATA': ['a.xml', `<?xml version="1.0"?><k><![CDATA[${head}]]><![CDATA[${tail}]]></k>`],
  'lines of a mail': ['a.eml', `Content-Transfer-Encoding: quoted-printable\n\nkey ${head}=\n${tail}\n`],
  'pieces with characters of no width between them': ['a.json', `{"k":"${head}\u200b${tail}"}`],
  'three literals': ['a.c', `const char *k = "ac_live_" "${key.slice(8, 14)}"\n "${key.slice(14)}";`],
  'runs of a document': [
    'document.xml',
    `<?xml version="1.0"?><w:document><w:p>${[key.slice(0, 5), key.slice(5, 14), key.slice(14)]
      .map(
        (piece) =>
          `<w:r><w:rPr><w:b/><w:lang w:val="en"/></w:rPr><w:t xml:space="preserve">${piece}</w:t></w:r>`,
      )
      .join('')}</w:p></w:document>`,
  ],
  'literals of C in the prefix': ['a.c', `char *k = "ac_" "${key.slice(3)}";`],
  'literals of C with a comment between them': ['a.c', `char *k = "ac_live_" /* x */ "${key.slice(8)}";`],
  'lines of C in the prefix': ['a.c', `char *k = "ac_l\\\n${key.slice(4)}";`],
  'literals of Objective-C': ['a.m', `NSString *k = @"ac_live_" @"${key.slice(8)}";`],
  'literals that an operator joins': ['a.py', `KEY = "ac_live_" + "${key.slice(8)}"`],
  'a word of a shell that goes on in quotation marks': [
    'a.sh',
    `KEY=ac_'live_'"${key.slice(8, 14)}"${key.slice(14)}\n`,
  ],
  'two kinds of literals of a shell': ['a.sh', `KEY='ac_live_'$'${key.slice(8)}'\n`],
  'lines of a batch file': ['a.bat', `set KEY=${head}^\r\n${tail}\r\n`],
  'lines of a mail, in the prefix': [
    'a.txt',
    `Content-Transfer-Encoding: quoted-printable\n\nkey ac_li=\n${key.slice(5)}\n`,
  ],
  'pieces of the prefix with characters of no width': ['a.md', `key ac\u200b${key.slice(2)}`],
  'colours of a terminal': ['a.log', `key \u001b[1mac_\u001b[0m\u001b[31m${key.slice(3)}\u001b[0m ok`],
  'runs of a table': [
    'strings.xml',
    `<?xml version="1.0"?><sst><si><r><t>ac_live_</t></r><r><rPr><b/></rPr><t xml:space="preserve">${key.slice(8)}</t></r></si></sst>`,
  ],
  'spans of an open document': [
    'content.xml',
    `<?xml version="1.0"?><text:p><text:span text:style-name="T1">ac_live_</text:span><text:span>${key.slice(8)}</text:span></text:p>`,
  ],
  'two scripts of a page': [
    'index.html',
    `<!doctype html><script>var head = 'ac_live_'</script><script>var tail = '${key.slice(8)}'; send(head + tail)</script>`,
  ],
}

test.each(Object.entries(torn))(
  'finds a key that is torn into %s, and no piece of it',
  async (_, [name, text]) => {
    const { findings } = await auditFiles({ [name]: text })
    expect(findings.filter(({ level }) => level !== 'note').map(({ fingerprint }) => fingerprint)).toEqual([
      fingerprintOf(key),
    ])
  },
)

const clean: Readonly<Record<string, readonly [name: string, text: string]>> = {
  'words side by side': ['a.c', `const char *k = "ac_live_" "lobby_" "title";`],
  'a list': ['a.json', `["ac_live_", "${key.slice(8)}"]`],
  'attributes side by side': ['a.xml', `<?xml version="1.0"?><a b="ac_live_"c="${key.slice(8)}"/>`],
  'cells side by side': ['a.csv', `"ac_live_","${key.slice(8)}"\n`],
  'words that hold one half of the prefix': [
    'a.txt',
    `"mac_l" "active_${key.slice(8)}" native_${key.slice(8)}`,
  ],
  'a guard': ['a.py', `if key.startswith("ac_live_"):\n  raise Error("${key.slice(8)}")`],
  'paragraphs of a document': [
    'document.xml',
    `<?xml version="1.0"?><w:p><w:t>ac_live_</w:t></w:p><w:p><w:t>${key.slice(8)}</w:t></w:p>`,
  ],
  'two modules of a page': [
    'index.html',
    `<!doctype html><script type="module">var head = 'ac_live_'</script><script type="module">var tail = '${key.slice(8)}'; send(head + tail)</script>`,
  ],
}

test.each(Object.entries(clean))('reports no error for %s', async (_, [name, text]) => {
  const { findings } = await auditFiles({ [name]: text })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
})

test('a whole key beside another literal stays as it is', async () => {
  const { findings } = await auditFiles({ 'a.c': `const char *k = "${key}" "more1Of2It3";` })
  expect(findings.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(key)])
})

test.each([
  ['base64', Buffer.from('key: ac_live_').toString('base64')],
  ['hex', `0x${Buffer.from('ac_live_').toString('hex')}`],
  ['escapes', '\\x61c_live_'],
  ['literals', '"ac_" "live_"'],
  ['the colours of a terminal', '\u001b[1mac_live_\u001b[0m'],
])('warns about the bare prefix in %s', async (_, text) => {
  const { findings } = await auditFiles({ 'a.txt': `k ${text}\n` })
  expect(findings).toMatchObject([{ rule: 'AUD-004', level: 'warning' }])
})

test('takes no word for the bare prefix that is read backwards', async () => {
  const { findings } = await auditFiles({ 'a.txt': 'the _evil_cat and the _evil_car' })
  expect(findings).toEqual([])
})

const utf32 = (order: 'little' | 'big', text: string) => {
  const bytes = Buffer.alloc(text.length * 4)
  for (const [index, char] of [...text].entries()) {
    const code = char.charCodeAt(0)
    if (order === 'little') bytes.writeUInt32LE(code, index * 4)
    else bytes.writeUInt32BE(code, index * 4)
  }
  return bytes
}

test.each([
  ['little', ''],
  ['little', '\ufeff'],
  ['big', ''],
  ['big', '\ufeff'],
] as const)('reads a text in UTF-32, in %s endian, behind "%s"', async (order, mark) => {
  const { findings, gaps } = await auditFiles({ 'a.txt': utf32(order, `${mark}key = ${key}\n`) })
  expect(findings.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(key)])
  expect(gaps).toEqual([])
})
