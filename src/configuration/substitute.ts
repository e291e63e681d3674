import type { Problem } from './document.ts'
import type { NamedValues } from './env-file.ts'
import { changeValues, type KeyPath, pathKey } from './path.ts'
import { isCredential, openFields } from './places.ts'

export interface Substituted {
  readonly value: unknown
  /** Paths whose value came, whole or in part, from the environment: it must not be shown. */
  readonly fromEnvironment: ReadonlyMap<string, string>
  /** The values of variables, but for those of open fields. */
  readonly texts: readonly string[]
  readonly problems: readonly Problem[]
}

const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g

export function listVariables(text: string): string[] {
  const names = [...text.matchAll(reference)].map(([, name]) => name)
  return [...new Set(names.filter((name) => name !== undefined))]
}

/** Replaces `${NAME}` in values, and `$${` by `${`. A value that cannot be replaced stays, so that the rest is checked. */
export function substitute(written: unknown, { values, advice }: NamedValues): Substituted {
  const problems: Problem[] = []
  const fromEnvironment = new Map<string, string>()
  const texts = new Set<string>()

  const replaceIn = (text: string, path: KeyPath): string => {
    const faults: string[] = []
    const value = text.replaceAll(reference, (match, name: string | undefined) => {
      if (match === '$${') return '${'
      if (name === undefined) {
        faults.push(`contains \${ without a variable name and }: write \${NAME}, or $\${ for a literal \${`)
        return match
      }
      fromEnvironment.set(pathKey(path), name)
      const found = values[name]
      if (found !== undefined && !openFields.has(String(path.at(-1)))) texts.add(found)
      const missing =
        found === undefined ? 'is not set' : found === '' && isCredential(path) ? 'is empty' : undefined
      if (missing !== undefined)
        faults.push(`needs the environment variable ${name}, which ${missing}: ${advice(name)}`)
      return found ?? match
    })
    const about = isCredential(path) ? 'credential' : 'configuration'
    problems.push(...faults.map((sentence): Problem => ({ path, sentence, about })))
    return faults.length > 0 ? text : value
  }

  const value = changeValues(written, (one, path) => (typeof one === 'string' ? replaceIn(one, path) : one))
  return { value, fromEnvironment, texts: [...texts], problems }
}
