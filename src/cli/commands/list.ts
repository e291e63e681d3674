import { loadCatalogue } from '../../catalogue/load-requirements.ts'
import type { AnyCheck } from '../../requirement/define.ts'
import { type LoadRequirement, loadRequirements } from '../../storm/requirements.ts'
import type { Output } from '../output/output.ts'

/** `twotoken list`: the requirement catalogue, as text or (`json`) as data. */
export async function list(
  { json = false }: { readonly json?: boolean },
  { stdout }: Output,
): Promise<number> {
  const checks = await loadCatalogue()
  stdout.write(
    json ? `${JSON.stringify(listedChecks(checks), null, 2)}\n` : listText(checks, loadRequirements),
  )
  return 0
}

export function listedChecks(checks: readonly AnyCheck[]) {
  return checks.map(({ id, role, level, clauses, title, how, needs, mints = 0, catches }) => ({
    id,
    role,
    level,
    clauses,
    title,
    how,
    needs,
    mints,
    brokenVariants: Object.keys(catches),
  }))
}

/** One line per requirement, under the part that it judges. */
export function listText(checks: readonly AnyCheck[], underLoad: readonly LoadRequirement[] = []): string {
  const clausesOf = ({ clauses }: AnyCheck | LoadRequirement) => clauses.join(', ') || '–'
  const mintsOf = ({ mints = 0 }: AnyCheck) => (mints === 0 ? '–' : String(mints)).padStart(4)
  const width = Math.max(0, ...[...checks, ...underLoad].map((check) => clausesOf(check).length))
  const roles = [...new Set(checks.map(({ role }) => role))]
  const groups = roles.map((role) => {
    const lines = checks
      .filter((check) => check.role === role)
      .map((check) => lineOf(check, clausesOf(check).padEnd(width), mintsOf(check)))
    return `${role}\n${lines.join('\n')}\n`
  })
  const mints = checks.reduce((sum, check) => sum + (check.mints ?? 0), 0)
  const load = underLoad.map((one) => lineOf(one, clausesOf(one).padEnd(width), '   –'))
  if (load.length > 0) groups.push(`under load, judged by twotoken storm\n${load.join('\n')}\n`)
  const broken = checks.reduce((sum, { catches }) => sum + Object.keys(catches).length, 0)
  return `${groups.join('\n')}\nThe number before the title is the maximum of calling tokens issued, ${mints} in total.\n${checks.length} requirements, proved with ${broken} broken variants. Details: npx twotoken explain ID\n`
}

function lineOf({ id, level, title }: AnyCheck | LoadRequirement, clauses: string, mints: string): string {
  return `  ${id.padEnd(8)} ${level.padEnd(8)} ${clauses}  ${mints}  ${title}`
}
