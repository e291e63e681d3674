import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'

const usage = 'usage: npm run new -- BACK-99 "rejects a request that …"'
/** A title in a list is read at a glance. */
const mostWords = 10
const root = join(import.meta.dirname, '../..')

/** Writes the files of a requirement below `folder`, and gives the text for the terminal; throws what to change. */
export async function beginRequirement(
  [id = '', title = '']: readonly string[],
  folder: string,
): Promise<string> {
  const role = roleOf(id)
  if (role === null || title.trim() === '') {
    const known = Object.keys(rolePrefixes).join(', ')
    throw new Error(
      `${usage}\nan id begins with ${known}; one of a client begins as a copy of a file in suites/client`,
    )
  }
  if (!/^(?:never )?[a-z]+s\b.*[^.!]$/.test(title) || title.split(' ').length > mostWords)
    throw new Error(
      `${title} does not complete "the ${role} …" in at most ${mostWords} words, as "rejects long ids" does`,
    )
  const used = (await loadCatalogue([role], join(folder, 'suites'))).map((check) => check.id)
  if (used.includes(id)) {
    const next = Math.max(...used.map((one) => Number(one.split('-')[1]))) + 1
    throw new Error(`another requirement has ${id}; ${id.split('-')[0]}-${next} is free`)
  }
  const file = requirementFile(role, title)
  if (existsSync(join(folder, file)))
    throw new Error(`${file} is there already; choose a title that says what is different`)
  writeFileSync(join(folder, file), writeRequirement({ id, role, title }))
  writeFileSync(join(folder, brokenFile(file)), writeBroken(role))
  return `wrote ${file}\nwrote ${brokenFile(file)}\nnext: write the probe and the variants that it must catch, then\n      npm run proof -- ${id}\n`
}

/** The roles of which a requirement can be begun from a template, by the prefix of an id. */
const rolePrefixes = { MINT: 'mint', BACK: 'backend', SIG: 'signaling', FLOW: 'flow' } as const

type TemplateRole = (typeof rolePrefixes)[keyof typeof rolePrefixes]

/** Gives the role of an id; `null` for one that is none, or has no template. */
function roleOf(id: string): TemplateRole | null {
  const [, prefix = ''] = /^([A-Z]+)-\d{2,}$/.exec(id) ?? []
  return prefix in rolePrefixes ? rolePrefixes[prefix as keyof typeof rolePrefixes] : null
}

/** Gives the path of a requirement by its title: `rejects long ids` of the mint is `suites/mint/rejects-long-ids.ts`. */
function requirementFile(role: TemplateRole, title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `suites/${role}/${name}.ts`
}

interface Wanted {
  readonly id: string
  readonly role: TemplateRole
  readonly title: string
}

/** Gives the path of the broken variants of the requirement in this file. */
function brokenFile(file: string): string {
  return file.replace(/[.]ts$/, '.broken.ts')
}

/** Writes a requirement that asks for something ordinary. */
function writeRequirement({ id, role, title }: Wanted): string {
  const kind = /^rejects\b/.test(title) ? 'rejects' : 'positive'
  const { needs, parts, probe } = probes[role]
  return `import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: '${id}',
  level: 'ADVISORY',
  kind: '${kind}',
  clauses: [],
  title: ${JSON.stringify(title).replaceAll("'", "\\'").replace(/^"|"$/g, "'")},
  why: 'Say in one sentence who is harmed, and how.',
  how: { does: ['Say what is sent.'], warns: ['Say what a failure looks like.'] },
  needs: [${needs.map((need) => `'${need}'`).join(', ')}],
  async run(${parts}, judge) {
${probe}
  },
})
`
}

/** Writes its broken variant, which is none yet: the proof is red until the probe catches it. */
function writeBroken(role: TemplateRole): string {
  return `import type { BrokenVariants } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'name what is wrong with this implementation': ${probes[role].variant},
}
`
}

interface Probe {
  readonly needs: readonly string[]
  readonly parts: string
  readonly probe: string
  readonly variant: string
}

const joining: Probe = {
  needs: ['callingTokens', 'signaling'],
  parts: '{ callingTokens, signaling }',
  probe: `    const made = await signaling.join(await callingTokens.fresh())
    if (made.outcome === 'untestable') return judge.untested(made.reason)
    judge.advisory(made.outcome === 'accepted', {
      saw: \`a fresh calling token not accepted: signaling \${made.summary}\`,
      expected: 'a success sign of the profile (4.3)',
      fix: 'Say what to change, as a sentence.',
      evidence: [made.exchange],
    })`,
  variant: '{ signaling: {} }',
}

const probes: Readonly<Record<TemplateRole, Probe>> = {
  mint: {
    needs: ['mint'],
    parts: '{ mint, newUser }',
    probe: `    const reply = await mint.request({ body: { userId: newUser() }, followRedirects: true })
    judge.advisory(mint.issuedBy(reply) !== null, {
      saw: 'no token for an ordinary request',
      expected: 'a token (4.1)',
      fix: 'Say what to change, as a sentence.',
      evidence: [reply.exchange],
    })`,
    variant: '{ mint: {} }',
  },
  backend: {
    needs: ['backend'],
    parts: '{ backend }',
    probe: `    const reply = await backend.requestServed({ session: backend.alice })
    judge.advisory(reply.kind === 'answer' && reply.status < 300, {
      saw: 'no success for an ordinary request',
      expected: 'a token (4.2)',
      fix: 'Say what to change, as a sentence.',
      evidence: [reply.exchange],
    })`,
    variant: '{ backend: {} }',
  },
  signaling: joining,
  flow: joining,
}

if (import.meta.main)
  try {
    process.stdout.write(await beginRequirement(process.argv.slice(2), root))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 2
  }
