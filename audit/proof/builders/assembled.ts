import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Builder, Built, Ledger } from '../builder.ts'
import { javaClasses, javaLambdas, kotlinClasses } from '../class-idioms.ts'
import { dotnetSource } from '../dotnet-idioms.ts'
import { hermesIdioms, hermesPlatformIdioms } from '../hermes-idioms.ts'
import { javaIdioms, kotlinIdioms, laterThanDx } from '../idioms.ts'
import {
  java8Idioms,
  java17Idioms,
  javaHelpers,
  javaObjectIdioms,
  javaPlatformIdioms,
  kotlinHelpers,
  kotlinPlatformIdioms,
} from '../platform-idioms.ts'
import { run } from '../tools.ts'
import { compilers } from './hermes.ts'

const length = 36

type Idioms = Readonly<Record<string, (key: string) => string>>

function javaSource(
  ledger: Ledger,
  later: Idioms,
  isLeftOut: (idiom: string) => boolean = () => false,
): string {
  const methods = Object.entries({ ...javaIdioms, ...javaPlatformIdioms, ...later })
    .filter(([name]) => !isLeftOut(name))
    .map(([name, write]) => `  public static String ${name}() { ${write(ledger.key(name, length))} }`)
  const parts = ledger.key('parts in fields', length)
  return `public class Idioms {
  static final String P1 = id("ac_");
  static String part = id("${parts.slice(0, 6)}"), other = id("${parts.slice(6)}");
  static String id(String s) { return s; }
  static String glue(String a, String b) { return a + b; }
  static String first() { return "ac_live_"; }
  public static String fields() { return part + other; }
${javaHelpers}
${methods.join('\n')}
}
`
}

/** Java for two platforms: builders, and the call sites of `invokedynamic` that came after them. */
const javac: Builder = {
  name: 'javac, assembled',
  async build({ work, ledger }) {
    const built: Built[] = []
    for (const release of ['8', '17']) {
      const own = ledger()
      await writeFile(
        join(work, 'Idioms.java'),
        javaSource(own, release === '8' ? java8Idioms : { ...java8Idioms, ...java17Idioms }),
      )
      await run('javac', ['-nowarn', '--release', release, '-d', release, 'Idioms.java'], { cwd: work })
      const bytes = await readFile(join(work, release, 'Idioms.class'))
      built.push({ format: 'class', name: `assembled-java${release}.class`, bytes, planted: own.planted })
    }
    return built
  },
}

const dx: Builder = {
  name: 'javac and dx, assembled',
  async build(bench) {
    const own = bench.ledger()
    const source = javaSource(own, javaObjectIdioms, (idiom) => laterThanDx.has(idiom))
    await writeFile(join(bench.work, 'Idioms.java'), source)
    await run('javac', ['-nowarn', '--release', '8', '-d', 'out', 'Idioms.java'], { cwd: bench.work })
    const bytes = await dexed(bench, 'out')
    return [{ format: 'dex', name: 'assembled-java.dex', bytes, planted: own.planted }]
  },
}

const kotlinc: Builder = {
  name: 'kotlinc and dx, assembled',
  async build(bench) {
    const own = bench.ledger()
    const functions = Object.entries({ ...kotlinIdioms, ...kotlinPlatformIdioms }).map(
      ([name, write]) => `fun kt_${name}(): String ${write(own.key(name, length))}`,
    )
    const source = `fun id(s: String): String = if (s.length > 1000) "" else s
val PART_A = id("ac_")
object Companionish { val partB = id("live_") }
object Holder { val first by lazy { id("ac_") }
  val second: String get() = id("live_") }
${kotlinHelpers}
${functions.join('\n')}
`
    await writeFile(join(bench.work, 'Kt.kt'), source)
    await run('kotlinc', ['Kt.kt', '-d', 'out'], { cwd: bench.work })
    const bytes = await dexed(bench, 'out')
    return [{ format: 'dex', name: 'assembled-kotlin.dex', bytes, planted: own.planted }]
  },
}

/** Compiles classes to DEX. The package has a `dx` that takes the class files of Java 7, which differ by a number. */
async function dexed(bench: Parameters<Builder['build']>[0], classes: string): Promise<Buffer> {
  const old = join(bench.work, 'old')
  await mkdir(old, { recursive: true })
  for (const file of await readdir(join(bench.work, classes)))
    if (file.endsWith('.class')) {
      const bytes = await readFile(join(bench.work, classes, file))
      bytes.writeUInt16BE(51, 6)
      await writeFile(join(old, file), bytes)
    }
  const jar = join(
    bench.package('@nativescript/android'),
    'framework/build-tools/android-metadata-generator.jar',
  )
  const main = 'com.android.dx.command.dexer.Main'
  await run('java', ['-cp', jar, main, '--core-library', '--no-strict', '--output=../classes.dex', '.'], {
    cwd: old,
  })
  return readFile(join(bench.work, 'classes.dex'))
}

/** Each idiom in a function, as a module of a bundle is in one. */
const hermesc: Builder = {
  name: 'hermesc, assembled',
  async build({ work, ledger, ...bench }) {
    const built: Built[] = []
    for (const [version, name, folder] of compilers) {
      const own = ledger()
      const modules = Object.entries({ ...hermesIdioms, ...hermesPlatformIdioms }).map(
        ([idiom, write]) =>
          `print((function () { var out; ${write(own.key(idiom, length))}; return out })())`,
      )
      await writeFile(join(work, 'index.js'), modules.join('\n'))
      const compiler = join(bench.package(name), folder, 'hermesc')
      await run(compiler, ['-w', '-O', '-emit-binary', '-out', 'out.hbc', 'index.js'], { cwd: work })
      const bytes = await readFile(join(work, 'out.hbc'))
      built.push({ format: 'hermes', name: `assembled-v${version}.hbc`, bytes, planted: own.planted })
    }
    return built
  },
}

const classes: Builder = {
  name: 'kotlinc and dx, classes',
  async build(bench) {
    const own = bench.ledger()
    const source = kotlinClasses((idiom) => own.key(idiom, length))
    await writeFile(join(bench.work, 'Classes.kt'), source)
    await run('kotlinc', ['Classes.kt', '-d', 'out'], { cwd: bench.work })
    const { planted } = own
    // Before `dexed`, which changes the class files.
    const jar = await packed(bench.work, 'out')
    const bytes = await dexed(bench, 'out')
    return [
      { format: 'dex', name: 'assembled-classes.dex', bytes, planted },
      { format: 'jar', name: 'assembled-classes.jar', bytes: jar, planted },
    ]
  },
}

async function packed(work: string, classes: string): Promise<Buffer> {
  await run('jar', ['--create', '--file', 'classes.jar', '-C', classes, '.'], { cwd: work })
  return readFile(join(work, 'classes.jar'))
}

const jar: Builder = {
  name: 'javac, classes of a jar',
  async build({ work, ledger }) {
    const own = ledger()
    const source = javaClasses((idiom) => own.key(idiom, length))
    await writeFile(join(work, 'Classes.java'), source)
    await run('javac', ['-nowarn', '-d', 'out', 'Classes.java'], { cwd: work })
    const bytes = await packed(work, 'out')
    return [{ format: 'jar', name: 'assembled-java.jar', bytes, planted: own.planted }]
  },
}

const lambdas: Builder = {
  name: 'javac, lambdas',
  async build({ work, ledger }) {
    const own = ledger()
    const source = javaLambdas((idiom) => own.key(idiom, length))
    await writeFile(join(work, 'Lambdas.java'), source)
    await run('javac', ['-nowarn', '-d', 'out', 'Lambdas.java'], { cwd: work })
    const bytes = await readFile(join(work, 'out', 'Lambdas.class'))
    return [{ format: 'class', name: 'assembled-lambdas.class', bytes, planted: own.planted }]
  },
}

const mcs: Builder = {
  name: 'mcs, assembled',
  async build({ work, ledger }) {
    const own = ledger()
    await writeFile(
      join(work, 'Idioms.cs'),
      // The compiler rounds up what it says of a list's size to four.
      dotnetSource((idiom) => own.key(idiom, length - 2)),
    )
    await run('mcs', ['-nowarn:0219', '-target:library', '-optimize+', '-out:out.dll', 'Idioms.cs'], {
      cwd: work,
    })
    const bytes = await readFile(join(work, 'out.dll'))
    return [{ format: 'dotnet', name: 'assembled-mcs.dll', bytes, planted: own.planted }]
  },
}

export const assembled: readonly Builder[] = [javac, dx, kotlinc, classes, jar, lambdas, hermesc, mcs]
