import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Builder, decoyNames, decoyValues, type Ledger, tellingLengths } from '../builder.ts'
import { textEncodings } from '../encodings.ts'
import { run } from '../tools.ts'

/** Source of one class for the assembler: every place in a DEX file that refers to a string. */
export function smaliOf(ledger: Ledger): string {
  const constants = [
    ...textEncodings.map((encoding) => ledger.text('const-string', encoding)),
    ...tellingLengths.map((length) => ledger.key('const-string', length)),
    `prefix \\u00fc ${ledger.key('const-string with MUTF-8 before it')}`,
    ...decoyValues,
  ]
  return `.class public Lcom/example/Canary;
.super Ljava/lang/Object;
.annotation build Lcom/example/Note;
  value = "${ledger.key('annotation')}"
.end annotation
.field public static final KEY:Ljava/lang/String; = "${ledger.key('static value')}"
${decoyNames.map((name) => `.field public static ${name}:I`).join('\n')}
.method public static ac_live_room_open_2()V
  .registers 1
${constants.map((text) => `  const-string v0, "${text}"`).join('\n')}
  const-string/jumbo v0, "${ledger.key('const-string/jumbo')}"
  return-void
.end method
${arrayMethod('S', 2, ledger.key('array of 16 bits'))}${arrayMethod('I', 4, ledger.key('array of 32 bits'))}`
}

/** A method that fills an array with the codes of a text. */
function arrayMethod(type: string, width: number, text: string): string {
  return `.method public static array${type}()V
  .registers 1
  const/16 v0, ${text.length}
  new-array v0, v0, [${type}
  fill-array-data v0, :codes
  return-void
  :codes
  .array-data ${width}
${[...Buffer.from(text)].map((code) => `    0x${code.toString(16)}`).join('\n')}
  .end array-data
.end method
`
}

export const dalvik: Builder = {
  name: 'smali',
  async build({ work, ledger }) {
    const own = ledger()
    await writeFile(join(work, 'Canary.smali'), smaliOf(own))
    await run('smali', ['assemble', '-o', 'classes.dex', 'Canary.smali'], { cwd: work })
    const bytes = await readFile(join(work, 'classes.dex'))
    return [{ format: 'dex', name: 'classes.dex', bytes, planted: own.planted }]
  },
}

export const java: Builder = {
  name: 'javac',
  async build({ work, ledger }) {
    const own = ledger()
    const constants = textEncodings.map((encoding) => `"${own.text('constant', encoding)}"`)
    const source = `public class Canary {
  public static final String KEY = "${own.key('static final')}";
  public static int ac_live_room_player_title;
  static String[] all = { ${[...constants, ...decoyValues.map((text) => JSON.stringify(text))].join(', ')} };
  static String folded() { return "ac_" + "live_" + "${own.key('folded by the compiler').slice(8)}"; }
}
`
    await writeFile(join(work, 'Canary.java'), source)
    await run('javac', ['Canary.java'], { cwd: work })
    const bytes = await readFile(join(work, 'Canary.class'))
    return [{ format: 'class', name: 'Canary.class', bytes, planted: own.planted }]
  },
}
