import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cache } from '../packages.ts'
import { run } from '../tools.ts'

/** Installed into the cache, and no dependency of anything. */
const toolchains = {
  webpack: '5.112.2',
  'webpack-cli': '7.3.1',
  '@rspack/core': '2.3.3',
  '@rspack/cli': '2.2.8',
  rollup: '4.68.8',
  '@rollup/plugin-terser': '1.0.2',
  esbuild: '0.28.2',
  parcel: '2.16.4',
}

/** Command line by the name of the bundler, from a folder with `main.js`; each leaves its result in `dist`. */
const commands: Readonly<Record<string, readonly string[]>> = {
  webpack: ['webpack', '--mode', 'production', '--devtool', 'source-map', '--entry', './main.js'],
  'webpack, development': ['webpack', '--mode', 'development', '--devtool', 'eval', '--entry', './main.js'],
  rspack: ['rspack', 'build', '--mode', 'production', '--devtool', 'source-map', '--entry', './main.js'],
  rollup: [
    'rollup',
    'main.js',
    '--format',
    'iife',
    '--plugin',
    'terser',
    '--sourcemap',
    '--file',
    'dist/main.js',
  ],
  esbuild: ['esbuild', 'main.js', '--bundle', '--minify', '--sourcemap', '--outfile=dist/main.js'],
  parcel: ['parcel', 'build', 'main.js', '--dist-dir', 'dist', '--no-cache'],
}

/**
 * Bundles one program by every bundler that a registry has.
 * @returns what each made, as `bundler/file`
 * @throws ToolFailure where npm cannot install them
 */
export async function bundleByAll(
  sources: Readonly<Record<string, string>>,
  work: string,
  log: (text: string) => void,
): Promise<{ readonly files: { name: string; bytes: Buffer }[]; readonly missing: string[] }> {
  const bin = join(await installed(log), 'node_modules/.bin')
  const files: { name: string; bytes: Buffer }[] = []
  const missing: string[] = []
  for (const [name, [program = '', ...args]] of Object.entries(commands)) {
    const folder = join(work, name.replace(/\W+/g, '-'))
    await mkdir(folder, { recursive: true })
    for (const [file, text] of Object.entries(sources)) await writeFile(join(folder, file), text)
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
    try {
      await run(join(bin, program), args, { cwd: folder })
      const dist = join(folder, 'dist')
      for (const file of await readdir(dist))
        files.push({ name: `${name}/${file}`, bytes: await readFile(join(dist, file)) })
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`)
    }
  }
  return { files, missing }
}

async function installed(log: (text: string) => void): Promise<string> {
  const folder = join(cache, 'toolchains')
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  await writeFile(
    join(unfinished, 'package.json'),
    `${JSON.stringify({ private: true, dependencies: toolchains })}\n`,
  )
  log('installing bundlers')
  await run('npm', ['install', '--prefix', unfinished, '--no-audit', '--no-fund', '--silent'])
  await rename(unfinished, folder)
  return folder
}
