import { type ListedCheck, readDescribedCatalogue } from '../../catalogue/described.ts'
import type { Output } from '../output/output.ts'

export async function list(
  { json = false }: { readonly json?: boolean },
  { stdout }: Output,
): Promise<number> {
  const { checks } = await readDescribedCatalogue()
  const listed = checks.map(({ id, role, level, clauses, title, how, needs, mints = 0, catches }) => {
    const brokenVariants = Object.keys(catches)
    return { id, role, level, clauses, title, how, needs, mints, brokenVariants }
  })
  stdout.write(json ? `${JSON.stringify(listed, null, 2)}\n` : listText(checks))
  return 0
}

export function listText(checks: readonly ListedCheck[]): string {
  const clausesOf = ({ clauses }: ListedCheck) => clauses.join(', ') || '–'
  const mintsOf = ({ mints = 0 }: ListedCheck) => (mints === 0 ? '–' : String(mints)).padStart(4)
  const width = Math.max(0, ...checks.map((check) => clausesOf(check).length))
  const roles = [...new Set(checks.map(({ role }) => role))]
  const groups = roles.map((role) => {
    const lines = checks
      .filter((check) => check.role === role)
      .map((check) => {
        const start = `  ${check.id.padEnd(8)} ${check.level.padEnd(8)} ${clausesOf(check).padEnd(width)}`
        return `${start}  ${mintsOf(check)}  ${check.title}`
      })
    return `${role}\n${lines.join('\n')}\n`
  })
  const mints = checks.reduce((sum, check) => sum + (check.mints ?? 0), 0)
  const broken = checks.reduce((sum, { catches }) => sum + Object.keys(catches).length, 0)
  return `${groups.join('\n')}\nThe number before the title is the maximum of calling tokens issued, ${mints} in total.\n${checks.length} requirements, proved with ${broken} broken variants. Details: npx twotoken explain ID\n`
}
