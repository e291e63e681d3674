import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { build, type Rolldown } from 'vite'
import { withoutFacades } from '../../fixtures/package/without-facades.ts'
import { licencesOf } from './licences.ts'

const root = join(import.meta.dirname, '../..')

/** The command, and the program of its thread, which is looked for beside what starts it. */
const input = {
  main: join(root, 'src/cli/audit-main.ts'),
  'script.worker': join(root, 'audit/src/script/script.worker.ts'),
}

/** Modules that print the message for an old Node, with their imports: they may contain nothing newer. */
const first = /[\\/]src[\\/]cli[\\/](?:audit-main|start)\.ts$/
const version = /[\\/]src[\\/]base[\\/]version\.ts$/
/** Modules that most audits never load: the parser of scripts and what uses its trees, configurations, reports. */
const later =
  /[\\/]audit[\\/]src[\\/](?:script[\\/](?:parse|names|fold|fold-text|library|map-sources)\.ts$|self-test[\\/](?!cells))|[\\/](?:base[\\/](?:schema[\\/]|http[\\/]limits\.ts$|tokens[\\/]token-configuration\.ts$)|reports[\\/](?!formats)|configuration[\\/]|roles[\\/])|(?:baseline|async-disposable-stack|audit-self-test|in-memory|apart|\.worker)\.ts$/
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
              { name: 'audit', test: (id) => own.test(id) && !isElsewhere(id) },
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
