import { pageAddress } from '../base/version.ts'

export function anchorOf(clause: string): string {
  return `clause-${clause}`
}

export function anchorOfRequirement(id: string): string {
  return id.toLowerCase()
}

export function addressOfClause(clause: string): string | undefined {
  return /^\d(?:\.\d{1,2}){0,3}$/.test(clause) ? pageAddress('specification', anchorOf(clause)) : undefined
}

/** The address of each clause that requirements cite, for those who read results by program. */
export function addressesOfClauses(
  checks: readonly { readonly clauses: readonly string[] }[],
): Readonly<Record<string, string>> {
  const cited = [...new Set(checks.flatMap(({ clauses }) => clauses))].toSorted()
  return Object.fromEntries(
    cited.flatMap((clause) => {
      const address = addressOfClause(clause)
      return address === undefined ? [] : [[clause, address]]
    }),
  )
}

export function addressOfRequirement(id: string): string | undefined {
  return /^[A-Z]{3,5}-\d{2,3}$/.test(id) ? pageAddress('requirements', anchorOfRequirement(id)) : undefined
}

export function addressOfFix({ file }: { readonly file: string }): string {
  return pageAddress(`fixes/${file.replace('.md', '')}`)
}
