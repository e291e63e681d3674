import { auditInMemory } from '../src/engine/audit-in-memory.ts'
import { mintCalls, mintDecoys } from '../src/testing/mint-calls.ts'
import { formsOf } from '../src/testing/script-forms.ts'

/** Scripts that call the mint, or only look like it, and what the audit says about each. */
export interface CallRun {
  readonly scripts: number
  readonly calls: number
  readonly found: number
  readonly decoys: number
  /** Names of what was missed or accused. */
  readonly faults: readonly string[]
}

const mintHost = 'api.acme.example'

/** Audits each call and each decoy, as it is written and as a bundler minifies it. */
export async function auditCalls(): Promise<CallRun> {
  const faults: string[] = []
  let found = 0
  const calls = Object.entries(mintCalls).flatMap(withForms)
  const decoys = Object.entries(mintDecoys).flatMap(withForms)
  for (const [name, script] of calls)
    if ((await levelsIn(script)).includes('error')) found += 1
    else faults.push(`missed: ${name}`)
  for (const [name, script] of decoys)
    if ((await levelsIn(script)).length > 0) faults.push(`accused: ${name}`)
  return { scripts: calls.length + decoys.length, calls: calls.length, found, decoys: decoys.length, faults }
}

function withForms([name, module]: readonly [string, string]) {
  return formsOf(module).map((script, index) => [index === 0 ? name : `${name}, minified`, script] as const)
}

async function levelsIn(script: string): Promise<string[]> {
  const file = { location: 'a.js', name: 'a.js', bytes: Buffer.from(script) }
  const { findings } = await auditInMemory(file, { mintHost })
  return findings.filter(({ kind }) => kind === 'mint-call').map(({ level }) => level)
}
