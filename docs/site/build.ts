import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startReference } from '../../fixtures/stack.ts'
import { createWorkplace } from '../../src/cli/testing/workplace.ts'
import { readAddress } from '../generator/address.ts'
import { gatherSite, type Site } from './pages.ts'

// Builds the documentation site into `dist/site`: `node docs/site/build.ts`. Its generator is installed with the pages, in a temporary
// folder, and not with the suite.

const here = import.meta.dirname
const out = join(here, '../../dist/site')

const work = await mkdtemp(join(tmpdir(), 'twotoken-site-'))
try {
  const site = await gatherSite()
  await write('contents.json', JSON.stringify(await listContents(site)))
  for (const { path, text } of site.pages) await write(join('pages', path), text)
  await write('pages/public/example/report.html', await exampleReport())
  await cp(join(here, '../images'), join(work, 'pages/images'), { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.vitepress'])
    await cp(join(here, name), join(work, name), { recursive: true })
  run('npm', 'ci', '--no-audit', '--no-fund')
  run('npx', 'vitepress', 'build')
  await rm(out, { recursive: true, force: true })
  await cp(join(work, 'html'), out, { recursive: true })
  process.stdout.write(`the site is in ${out}\n`)
} finally {
  await rm(work, { recursive: true })
}

async function write(path: string, text: string): Promise<void> {
  const file = join(work, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd: work, stdio: 'inherit' })
}

/** The side bar and the ids, for the generator's configuration. */
async function listContents({ pages, bar, ids }: Site): Promise<object> {
  const titles = new Map(pages.map(({ path, title }) => [path, title]))
  const chapters = bar.map(({ title, paths }) => ({
    text: title,
    items: paths.map((path) => ({
      text: path === 'index.md' ? 'Overview' : titles.get(path),
      link: `/${path.replace(/\.md$/, '')}`,
    })),
  }))
  return { repository: `https://github.com/${await readAddress()}`, bar: chapters, ids }
}

/** The report of a run whose backend forwards the session to the mint: the picture of README, and the site's example. */
async function exampleReport(): Promise<string> {
  await using reference = await startReference({
    withBundle: true,
    variant: {
      backend: {
        mintCall: (usual, { inbound }) => ({
          ...usual,
          headers: { ...usual.headers, 'x-forwarded-authorization': inbound.headers.authorization ?? '' },
        }),
      },
    },
  })
  await using place = await createWorkplace({ ...reference.written, name: 'acme-staging' })
  const { code, stderr } = await place.start(['run', '--suite', 'mint,backend,signaling,flow,bundle']).ended
  if (code !== 1) throw new Error(`expected a violation, the run ended with ${code}:\n${stderr}`)
  return await place.read('report.html')
}
