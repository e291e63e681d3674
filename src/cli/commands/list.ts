import { loadCatalogue } from '../../catalogue/load-requirements.ts'
import type { AnyCheck } from '../../requirement/define.ts'
import type { Output } from '../output/output.ts'

/** `twotoken list`: the requirement catalogue, as text or (`json`) as data. */
export async function list(
  { json = false }: { readonly json?: boolean },
  { stdout }: Output,
): Promise<number> {
  const checks = await loadCatalogue()
  stdout.write(json ? `${JSON.stringify(listedChecks(checks), null, 2)}\n` : listText(checks))
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
export function listText(checks: readonly AnyCheck[]): string {
  const clausesOf = ({ clauses }: AnyCheck) => clauses.join(', ') || '–'
  const mintsOf = ({ mints = 0 }: AnyCheck) => (mints === 0 ? '–' : String(mints)).padStart(4)
  const width = Math.max(0, ...checks.map((check) => clausesOf(check).length))
  const roles = [...new Set(checks.map(({ role }) => role))]
  const groups = roles.map((role) => {
    const lines = checks
      .filter((check) => check.role === role)
      .map(
        (check) =>
          `  ${check.id.padEnd(8)} ${check.level.padEnd(8)} ${clausesOf(check).padEnd(width)}  ${mintsOf(check)}  ${check.title}`,
      )
    return `${role}\n${lines.join('\n')}\n`
  })
  const mints = checks.reduce((sum, check) => sum + (check.mints ?? 0), 0)
  const broken = checks.reduce((sum, { catches }) => sum + Object.keys(catches).length, 0)
  return `${groups.join('\n')}\nThe number before the title is the maximum of calling tokens issued, ${mints} in total.\n${checks.length} requirements, proved with ${broken} broken variants. Details: twotoken explain ID\n`
}
