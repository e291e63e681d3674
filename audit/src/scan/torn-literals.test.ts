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
