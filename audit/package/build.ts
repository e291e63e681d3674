import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { build, type Rolldown } from 'vite'
import { withoutFacades } from '../../fixtures/package/without-facades.ts'
import { licencesOf } from './licences.ts'

const root = join(import.meta.dirname, '../..')

/** The command, and the programs of threads, which are looked for beside what starts them. */
const input = {
  main: join(root, 'src/cli/audit-main.ts'),
  'reading.worker': join(root, 'audit/src/threads/reading.worker.ts'),
  'planting.worker': join(root, 'audit/src/self-test/planting.worker.ts'),
}

/** Modules that print the message for an old Node, with their imports: they may contain nothing newer. */
const first = /[\\/]src[\\/]cli[\\/](?:audit-main|start|supported-node)\.ts$/
const version = /[\\/]src[\\/]base[\\/]version\.ts$/
/** Modules that most audits never load: parsers of scripts and of configurations, what runs compiled code, reports. */
const later =
  /[\\/]audit[\\/]src[\\/](?:bytecode[\\/](?!assembly)|formats[\\/]hermes[\\/](?!tables)|script[\\/](?!embedded-scripts|source-map)|self-test[\\/](?!cells))|[\\/](?:base[\\/]schema[\\/]|reports[\\/](?!formats)|configuration[\\/]|roles[\\/])|(?:baseline|async-disposable-stack|audit-self-test|audit-fleet|git-history|fleet-results|fleet|audit-in-memory|\.worker)\.ts$/
/** Modules that start a reading thread, before all else is loaded. */
const ahead =
  /[\\/]src[\\/]cli[\\/]start-reading\.ts$|[\\/]audit[\\/]src[\\/](?:start-ahead|stuck-threads|threads[\\/](?:kind|reading-thread|seats|pulse-memory)|model[\\/](?:turns|garbage|settings))\.ts$/
/** Modules that both the command and the reading threads load. */
const common =
  /[\\/]audit[\\/]src[\\/](?:model[\\/]|engine[\\/](?:or-gap|walk-files)\.ts$|threads[\\/]claims\.ts$)|[\\/]usingCtx/
/** Modules that only the reading threads load. */
const reading =
  /[\\/]audit[\\/]src[\\/](?:engine[\\/](?:audit-(?:bytes|contents|file|names|on-disk|windows|zip)|context|fast-path)\.ts$|(?:bytecode|containers|formats|scan|script)[\\/]|threads[\\/]read-files)/
const isElsewhere = (id: string) => first.test(id) || later.test(id)
const own =
  /[\\/]audit[\\/]src[\\/]|[\\/]src[\\/](?:base|cli|reports)[\\/]|[\\/]node_modules[\\/]commander[\\/]/

/**
 * Makes the package `twotoken-audit`, ready to be packed: the command `twotoken audit` alone, with all that it imports,
 * so that nothing is installed beside it.
 * @throws Error where the bundle needs a package, or where the licence of one that it contains is not known
 */
export async function buildAuditPackage(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  const [licences] = await Promise.all([
    bundle(join(outDir, 'lib')).then(licencesOf),
    writeManifest(outDir),
    cp(join(root, 'LICENSE'), join(outDir, 'LICENSE')),
    ...['README.md', 'Dockerfile'].map((file) => cp(join(import.meta.dirname, file), join(outDir, file))),
  ])
  await writeFile(join(outDir, 'THIRD-PARTY-LICENSES.txt'), licences)
}

/** Bundles the command, and gives the paths of all modules that came into it. */
async function bundle(outDir: string): Promise<string[]> {
  const built = await build({
    configFile: false,
    envFile: false,
    logLevel: 'error',
    root,
    ssr: { target: 'node', noExternal: true },
    plugins: [{ name: 'builtins', renderChunk: withoutFacades }],
    build: {
      ssr: true,
      outDir,
      copyPublicDir: false,
      // Who audits the auditor reads the code.
      minify: false,
      target: 'node22',
      rolldownOptions: {
        input,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          codeSplitting: {
            groups: [
              { name: 'version', test: version, priority: 2 },
              { name: 'ahead', test: ahead, priority: 2 },
              { name: 'common', test: (id) => common.test(id) && !isElsewhere(id), priority: 1 },
              { name: 'reading', test: (id) => reading.test(id) && !isElsewhere(id) },
              { name: 'audit', test: (id) => own.test(id) && !isElsewhere(id) && !reading.test(id) },
            ],
          },
        },
      },
    },
  })
  const chunks = (built as Rolldown.RolldownOutput).output.filter((one) => one.type === 'chunk')
  const files = new Set(chunks.map(({ fileName }) => fileName))
  for (const { fileName, imports, dynamicImports } of chunks)
    for (const imported of [...imports, ...dynamicImports])
      if (!files.has(imported) && !isBuiltin(imported))
        throw new Error(
          `${fileName} of twotoken-audit imports ${imported}: bundle it, the package has no dependencies`,
        )
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}

/** Fields that a registry shows of both packages alike. */
const shown = ['version', 'license', 'author', 'engines'] as const

/** The manifest of the workspace, as it is published: without what only its development needs. */
async function writeManifest(outDir: string): Promise<void> {
  const { devDependencies: _, ...own } = await readManifest(join(import.meta.dirname, '../package.json'))
  const main = await readManifest(join(root, 'package.json'))
  const shared = Object.fromEntries(
    shown.flatMap((key) => (main[key] === undefined ? [] : [[key, main[key]]])),
  )
  await writeFile(join(outDir, 'package.json'), `${JSON.stringify({ ...own, ...shared }, null, 2)}\n`)
}

async function readManifest(path: string): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await readFile(path, 'utf8'))
}

if (import.meta.main) await buildAuditPackage(resolve(process.argv[2] ?? join(root, 'dist/audit-package')))
