import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Builder, decoyNames, decoyValues, type Ledger, tellingLengths } from '../builder.ts'
import { textEncodings } from '../encodings.ts'
import { run } from '../tools.ts'

/** Compilers by the version of the bytecode that they write, and where they are in their package. */
export const compilers: readonly (readonly [version: number, name: string, folder: string])[] = [
  [84, 'hermes-engine', 'linux64-bin'],
  [89, 'hermes-engine-cli', 'linux64-bin'],
  [94, 'react-native-72', 'sdks/hermesc/linux64-bin'],
  [96, 'react-native-76', 'sdks/hermesc/linux64-bin'],
  [99, 'hermes-compiler', 'hermesc/linux64-bin'],
]

/** Neighbours that together would read as a key, which neither is. */
const phantom = ['room_beta_a', 'c_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6D']

function scriptOf(ledger: Ledger): string {
  const strings = [
    ...textEncodings.map((encoding) => ledger.text('string', encoding)),
    ...tellingLengths.map((length) => ledger.key('string', length)),
    `${'x'.repeat(300)} ${ledger.key('string of the overflow table')}`,
    `\u00fc ${ledger.key('UTF-16 string')}`,
    ...phantom,
    ...decoyValues,
  ]
  const folded = ledger.key('folded by the compiler')
  const joined = ledger.key('joined by a function')
  const coded = ledger.key('made of codes by a function')
  return `var o = { ${decoyNames.map((name) => `${name}: 1`).join(', ')}, ${ledger.key('property name')}: 2 };
print(${strings.map((text) => JSON.stringify(text)).join(', ')}, o.ac_live_room_player_title);
print("${folded.slice(0, 3)}" + "${folded.slice(3, 8)}" + "${folded.slice(8)}");
function f(x) { return x + "room_beta_a" } print(f(1), "ac_live_" + f(2));
function g() { return ["${joined.slice(0, 6)}", "${joined.slice(6, 20)}", "${joined.slice(20)}"].join("") } print(g());
function h() { return String.fromCharCode(${[...coded].map((char) => char.charCodeAt(0)).join()}) } print(h());
`
}

export const hermes: Builder = {
  name: 'hermesc',
  async build({ work, ledger, ...bench }) {
    const built = []
    for (const [version, name, folder] of compilers) {
      const own = ledger()
      const out = `v${version}.hbc`
      await writeFile(join(work, 'index.js'), scriptOf(own))
      const compiler = join(bench.package(name), folder, 'hermesc')
      await run(compiler, ['-w', '-O', '-emit-binary', '-out', out, 'index.js'], { cwd: work })
      const bytes = await readFile(join(work, out))
      built.push({ format: `hermes v${version}`, name: out, bytes, planted: own.planted })
    }
    return built
  },
}
