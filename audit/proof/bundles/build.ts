import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build as buildByVite } from 'vite'
import { cache } from '../packages.ts'
import { run } from '../tools.ts'

/** Real packages in real bundles. They are installed here, outside of the dependencies of twotoken. */
const workshop = join(cache, 'bundles')

const guard = `if (key.startsWith('ac_live_')) throw new Error('A server key does not belong in an app')`

/** Code of an app besides the package: nothing, a guard, and a guard with a key in pieces. */
export const forms = {
  clean: '',
  guard: `export function check(key) { ${guard}; return key }`,
  planted: `export function check(key) { ${guard}; return key }
const pieces = ['ac', 'li' + 've', '9fK2mQ7xT4bV8nR1cW6z']
export const key = pieces.join('_')
export const other = atob('YWNfbGl2ZV8=') + ['Zq8Lm3', 'Xv5Tn1', 'Bc7Rk2', 'Wy9'].reverse().join('')`,
} as const

export type Form = keyof typeof forms

const bundlers = ['esbuild', 'webpack']

/** As many packages as npm installs within the time that a program has. */
const installedAtOnce = 10

/** Installs the bundlers and packages that are not there yet. A package that npm cannot install is not built either. */
export async function install(packages: readonly string[]): Promise<void> {
  await mkdir(join(workshop, 'entries'), { recursive: true })
  if (!existsSync(join(workshop, 'package.json')))
    await writeFile(join(workshop, 'package.json'), '{ "private": true, "type": "module" }\n')
  const missing = [...bundlers, ...packages].filter(
    (name) => !existsSync(join(workshop, 'node_modules', name)),
  )
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--prefer-offline']
  for (let at = 0; at < missing.length; at += installedAtOnce) {
    const group = missing.slice(at, at + installedAtOnce)
    try {
      await run('npm', ['install', ...options, ...group], { cwd: workshop })
    } catch (error) {
      process.stderr.write(`not installed: ${group.join(', ')}: ${String(error)}\n`)
    }
  }
}

export interface Bundler {
  readonly name: string
  build(entry: string, folder: string): Promise<unknown>
}

const assets = ['.png', '.svg', '.gif', '.woff', '.woff2', '.ttf', '.eot', '.wasm']

type Webpack = (
  options: unknown,
  done: (error: Error | null, stats?: { hasErrors(): boolean; toString(options: unknown): string }) => void,
) => void

export function bundlersOf(): Bundler[] {
  const require = createRequire(join(workshop, 'package.json'))
  const esbuild = require('esbuild') as { build(options: unknown): Promise<unknown> }
  const webpack = require('webpack') as Webpack
  return [
    {
      name: 'vite',
      build: (entry, folder) =>
        buildByVite({
          root: workshop,
          configFile: false,
          logLevel: 'silent',
          define: { 'process.env.NODE_ENV': '"production"' },
          build: {
            outDir: folder,
            emptyOutDir: false,
            lib: { entry, formats: ['es'], fileName: 'app' },
            minify: true,
          },
        }),
    },
    {
      name: 'esbuild',
      build: (entry, folder) =>
        esbuild.build({
          entryPoints: [entry],
          outfile: join(folder, 'app.js'),
          bundle: true,
          minify: true,
          logLevel: 'silent',
          format: 'esm',
          define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
          loader: Object.fromEntries(assets.map((ending) => [ending, 'dataurl'])),
        }),
    },
    {
      name: 'webpack',
      build: (entry, path) =>
        new Promise((resolve, reject) => {
          const output = { path, filename: 'app.js', library: { type: 'module' } }
          const options = { mode: 'production', context: workshop, entry, output, performance: false }
          webpack({ ...options, experiments: { outputModule: true } }, (error, stats) =>
            error === null && stats?.hasErrors() === false
              ? resolve(stats)
              : reject(error ?? new Error(stats?.toString({ all: false, errors: true }))),
          )
        }),
    },
  ]
}

/** Builds an app with a package; `null` where the bundler cannot, as where a package is for servers only. */
export async function buildApp(bundler: Bundler, name: string, form: Form): Promise<string | null> {
  const id = `${name.replaceAll('/', '+')}.${form}`
  const entry = join(workshop, 'entries', `${id}.js`)
  const folder = join(workshop, 'out', bundler.name, id)
  if (existsSync(folder)) return folder
  await writeFile(entry, `import * as library from '${name}'\nglobalThis.library = library\n${forms[form]}\n`)
  try {
    await bundler.build(entry, folder)
    return folder
  } catch {
    await rm(folder, { recursive: true, force: true })
    return null
  }
}
