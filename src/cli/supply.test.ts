import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { version } from '../base/version.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFile(join(root, file), 'utf8')
const below = async (folder: string) => (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)

const workflows = await below('.github/workflows')
const examples = await below('docs/ci')

interface Job {
  readonly needs?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly {
    readonly uses?: string
    readonly run?: string
    readonly with?: Readonly<Record<string, unknown>>
  }[]
}

interface Workflow {
  readonly on: unknown
  readonly permissions?: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

test('the version that CI runs is the own one by default', async () => {
  const why = `set it to ${version}, the version of package.json`
  expect(parse(await read('action.yml')).inputs.version.default, `action.yml: ${why}`).toBe(version)
  for (const file of ['templates/twotoken.yml', 'templates/audit.yml']) {
    const [head] = parseAllDocuments(await read(file))
    expect(head?.toJS().spec.inputs.version.default, `${file}: ${why}`).toBe(version)
  }
})

test.each(['docs/ci.md', 'templates/pre-commit.sh', ...examples])(
  '%s names the own version',
  async (file) => {
    const named =
      /(?:npx (?:--prefix \S+(?: -d\)")? )?--yes (?:--package )?["']?|fetched "\$integrity" |additional_dependencies: \[)(twotoken(?:-audit)?)([^\s"'\]]*)/g
    const versions = [...(await read(file)).matchAll(named)].map(([, , behind]) => behind)
    expect(versions.length, file).toBeGreaterThan(0)
    expect([...new Set(versions)]).toEqual([`@${version}`])
  },
)

test.each(['action.yml', ...workflows, ...examples])(
  'every action of %s is pinned by its commit',
  async (file) => {
    const used = [...(await read(file)).matchAll(/^\s*-?\s*uses:\s*(.+)$/gm)].map(([, name]) => name)
    for (const one of used) expect(one).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  },
)

describe.each(workflows)('%s', async (file) => {
  const workflow: Workflow = parse(await read(file))
  const jobs = Object.entries(workflow.jobs)
  const rightsOf = (job: Job) => job.permissions ?? workflow.permissions ?? { everything: 'write' }
  const mayWrite = (job: Job) => Object.values(rightsOf(job)).includes('write')
  const uses = (action: string) =>
    jobs.flatMap(([, { steps }]) => steps.filter((step) => step.uses?.includes(`/${action}@`)))

  test('runs packages and tests without rights', () => {
    for (const [name, job] of jobs) {
      const runs = job.steps.map(({ run = '' }) => run).join('\n')
      // A release also reads whether its proofs are green.
      if (/npm (?:ci|install|test|run|exec)|npx|node |\.ci\//.test(runs))
        expect({ contents: 'read', actions: 'read' }, name).toMatchObject(rightsOf(job))
      else expect(mayWrite(job), name).toBe(true)
    }
  })

  test('gives a job with rights no checkout and no script of a package', () => {
    for (const [name, job] of jobs.filter(([, one]) => mayWrite(one))) {
      const hasCheckout = job.steps.some((step) => step.uses?.includes('/checkout@'))
      // Analysers read the sources and report what they find; they run nothing, and can change nothing.
      const isAnalysis =
        rightsOf(job)['contents'] === 'read' && job.steps.every(({ run }) => run === undefined)
      expect(hasCheckout && !isAnalysis, name).toBe(false)
      for (const { run = '' } of job.steps)
        if (run.includes('npm ')) expect(run, name).toContain('--ignore-scripts')
    }
  })

  test('keeps no cache of packages, leaves no token in a checkout, and runs nothing of a fork', () => {
    for (const step of uses('setup-node')) expect(step.with).toMatchObject({ 'package-manager-cache': false })
    for (const step of uses('checkout')) expect(step.with).toMatchObject({ 'persist-credentials': false })
    expect(JSON.stringify(workflow.on)).not.toMatch(/pull_request_target|workflow_run|issue_comment/)
  })
})

test('a release publishes the file that was tested, in a job of its own', async () => {
  const { jobs }: Workflow = parse(await read('.github/workflows/release.yml'))
  const publishing = Object.values(jobs).filter(({ steps }) =>
    steps.some(({ run = '' }) => run.includes('npm publish')),
  )
  expect(publishing).toMatchObject([{ needs: 'build', permissions: { 'id-token': 'write' } }])
  const published = publishing[0]?.steps.flatMap(({ run = [] }) => run) ?? []
  // A pattern of the one must not match the file of the other: npm publishes one at a time.
  expect(published).toEqual([
    'npm publish ./release/twotoken-[0-9]*.tgz --provenance --access public --ignore-scripts',
    'npm publish ./release/twotoken-audit-[0-9]*.tgz --provenance --access public --ignore-scripts',
  ])
  const built = jobs['build']?.steps.map(({ run }) => run) ?? []
  expect(built).toContain(
    'mkdir release && node fixtures/package/pack.ts release && npm pack --ignore-scripts --pack-destination release ./dist/audit-package',
  )
})

test('the pods of docs/ci/kubernetes-job.yaml have no rights beyond their task', async () => {
  const job = parse(await read('docs/ci/kubernetes-job.yaml'))
  const { spec } = job.spec.template
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { limits: { memory: expect.any(String) } },
      },
    ],
  })
})

test('a service of docker-compose.yml has no privileges, bounds, and a port of loopback at most', async () => {
  const { services } = parse(await read('docker-compose.yml'), { merge: true })
  expect(Object.keys(services).length).toBeGreaterThan(5)
  for (const [name, service] of Object.entries<{ ports?: readonly string[] }>(services)) {
    expect(service, name).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
    })
    for (const port of service.ports ?? []) expect(port, name).toMatch(/^127\.0\.0\.1:/)
  }
})
