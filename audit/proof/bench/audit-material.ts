import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { buildZip, type ZipFile } from '../../src/testing/build-archives.ts'

// Material to measure the audit on: real machine code and data out of Node's own program, real scripts and maps out of
// the installed packages, and tables that are generated. The seed is fixed: two runs measure the same.
const modules = join(import.meta.dirname, '../../../node_modules')
const megabyte = 1_000_000

/** Numbers from 0 to one less than the argument. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A piece of Node's own program: code, tables, texts of many languages. */
function program(random: (below: number) => number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const file = openSync(process.execPath, 'r')
  readSync(file, bytes, 0, length, random(statSync(process.execPath).size - length))
  closeSync(file)
  return bytes
}

/** A Dalvik executable by its header and its strings; code and data are a piece of a program. */
function dex(random: (below: number) => number, length: number): Buffer {
  const strings = Array.from(
    { length: Math.floor(length / 240) },
    (_, index) => `Lcom/app/p${random(900)}/C${index};`,
  )
  const head = Buffer.alloc(112 + strings.length * 4)
  head.write('dex\n035\0', 'latin1')
  head.writeUInt32LE(length, 32)
  head.writeUInt32LE(strings.length, 56)
  head.writeUInt32LE(112, 60)
  const parts: Buffer[] = []
  let at = head.length
  for (const [index, text] of strings.entries()) {
    const part = Buffer.from(`${String.fromCharCode(text.length)}${text}\0`, 'latin1')
    head.writeUInt32LE(at, 112 + index * 4)
    parts.push(part)
    at += part.length
  }
  return Buffer.concat([head, ...parts, program(random, length - at)])
}

/** An Android app as large as a real one that was measured: 42.8 MB in 3,841 entries, of which 11 are stored. */
export function androidApp(): Buffer {
  const random = randomFrom(1)
  const files: ZipFile[] = [
    { name: 'classes.dex', bytes: dex(random, 10_837_604) },
    { name: 'classes2.dex', bytes: dex(random, 3_122_628) },
    { name: 'assets/dictionary.bin', bytes: program(random, 2_007_296) },
    { name: 'assets/root.res', bytes: program(random, 1_086_256) },
  ]
  for (let index = 0; index < 34; index++)
    files.push({ name: `lib/data/${index}.so`, bytes: program(random, 200_000) })
  for (let index = 0; index < 493; index++)
    files.push({ name: `assets/table/${index}.res`, bytes: program(random, 26_000) })
  const rest = 3841 - files.length
  const left = 42_768_963 - files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  for (let index = 0; index < rest; index++) {
    const length = Math.floor((left * (index + 1)) / rest) - Math.floor((left * index) / rest)
    files.push({ name: `res/drawable/p${index}.bin`, bytes: program(random, length), stored: index < 11 })
  }
  return buildZip(files)
}

/** Installed files of some endings, in the order of their names, up to a number of bytes. */
async function installed(endings: RegExp, wanted: number): Promise<Buffer[]> {
  const found: Buffer[] = []
  let total = 0
  const names = await readdir(modules, { recursive: true })
  for (const name of names.filter((one) => endings.test(one)).sort()) {
    const bytes = await readFile(join(modules, name)).catch(() => Buffer.alloc(0))
    if (bytes.length < 2000) continue
    found.push(bytes)
    total += bytes.length
    if (total >= wanted) break
  }
  return found
}

/** A build for the web: scripts and maps of 20 MB. */
export async function webFolder(folder: string): Promise<void> {
  await mkdir(folder)
  const scripts = await installed(/\.[cm]?js$/, 15 * megabyte)
  const maps = await installed(/\.map$/, 5 * megabyte)
  for (const [index, bytes] of scripts.entries()) await writeFile(join(folder, `${index}.js`), bytes)
  for (const [index, bytes] of maps.entries()) await writeFile(join(folder, `${index}.js.map`), bytes)
}

/** Read by the audit alone. */
const compressed = /\.(?:br|t?gz|zst)$/

/** 500 MB of the installed packages, in the order of their names. */
export async function packagesFolder(folder: string): Promise<void> {
  const files = await readdir(modules, { recursive: true, withFileTypes: true })
  let total = 0
  for (const { parentPath, name } of files.filter((one) => one.isFile()).sort(byPath)) {
    const path = join(parentPath, name)
    const place = relative(modules, path)
    // Caches of tools.
    if (place.startsWith('.') || compressed.test(place)) continue
    const bytes = await readFile(path)
    await mkdir(dirname(join(folder, place)), { recursive: true })
    await writeFile(join(folder, place), bytes)
    total += bytes.length
    if (total >= 500 * megabyte) return
  }
}

type Entry = { readonly parentPath: string; readonly name: string }

function byPath(one: Entry, other: Entry): number {
  return join(one.parentPath, one.name) < join(other.parentPath, other.name) ? -1 : 1
}
