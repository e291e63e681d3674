import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { parse } from 'yaml'
import { z } from 'zod'
import { run } from '../../audit/proof/tools.ts'
import { pathOfNode } from '../../src/cli/testing/run-command.ts'
import type { Framework } from './frameworks.ts'

const apps = join(import.meta.dirname, 'apps')
const cache = join(homedir(), '.cache', 'twotoken-frameworks')

const mistakes = z.array(
  z.strictObject({
    /** Completes "the backend …". */
    does: z.string(),
    /** Requirements that warn or fail, and no others. */
    caught: z.array(z.string()).min(1),
    file: z.string(),
    edits: z.array(z.strictObject({ find: z.string(), write: z.string() })).min(1),
  }),
)

/** One of the usual mistakes in a framework: the same application with a few other lines. */
export type Mistake = z.infer<typeof mistakes>[number]

export async function readMistakes(name: string, framework: Framework): Promise<readonly Mistake[]> {
  const folder = foldersOf(name, framework).at(-1) ?? name
  return mistakes.parse(parse(await readFile(join(apps, folder, 'mistakes.yaml'), 'utf8')))
}

export function foldersOf(name: string, framework: Framework): readonly string[] {
  return framework.apps ?? [name]
}

/**
 * Copies an application, edited where there is a mistake, and builds it.
 * @returns its folder, in the cache
 * @throws Error where an edit finds no place
 */
export async function assemble(name: string, framework: Framework, mistake: Mistake | null): Promise<string> {
  const { npm, build } = framework
  const home = join(cache, name)
  const folder = join(home, (mistake?.does ?? 'as documented').replaceAll(/\W+/g, '-'))
  await mkdir(home, { recursive: true })
  await rm(folder, { recursive: true, force: true })
  for (const one of foldersOf(name, framework)) await cp(join(apps, one), folder, { recursive: true })
  // Packages are found in the folder above.
  if (npm !== undefined)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  if (mistake !== null) {
    const file = join(folder, mistake.file)
    await writeFile(file, edit(await readFile(file, 'utf8'), mistake))
  }
  if (build !== undefined) await run('/bin/sh', ['-c', build], { cwd: folder, env: { PATH: pathOfNode } })
  return folder
}

function edit(source: string, { does, edits }: Mistake): string {
  let edited = source
  for (const { find, write } of edits) {
    if (!edited.includes(find)) throw new Error(`"${does}" finds no place for its edit: ${find}`)
    edited = edited.replaceAll(find, () => write)
  }
  return edited
}

/** Installs what a framework needs of npm. */
export async function install(name: string, { npm }: Framework): Promise<void> {
  if (npm === undefined) return
  const home = join(cache, name)
  await mkdir(home, { recursive: true })
  const manifest = JSON.stringify({ private: true, dependencies: npm }, null, 2)
  const file = join(home, 'package.json')
  const isInstalled = existsSync(file) && (await readFile(file, 'utf8')) === manifest
  if (isInstalled && existsSync(join(home, 'node_modules'))) return
  await writeFile(file, manifest)
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: home,
    env: { ...env, PATH: pathOfNode } as Readonly<Record<string, string>>,
  })
}

/** The version of a framework that is installed, without the numbers of Debian. */
export async function versionOf(name: string, { npm, mainPackage }: Framework): Promise<string> {
  if (npm !== undefined && mainPackage in npm) {
    const manifest = await readFile(join(cache, name, 'node_modules', mainPackage, 'package.json'), 'utf8')
    return (JSON.parse(manifest) as { readonly version: string }).version
  }
  const [, version = ''] = /\t(?:\d+:)?([\d.]+)/.exec(await run('dpkg-query', ['--show', mainPackage])) ?? []
  return version
}
