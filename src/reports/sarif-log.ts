import { onOneLine } from '../base/printable.ts'
import { writeJson } from './escape.ts'

/** Text of a peer as a message, in which `[text](address)` would be a link. */
export function messageText(text: string): { readonly text: string } {
  return { text: onOneLine(text).replaceAll('](', '] (') }
}

/** A rule of the log: for a run a requirement, for an audit one of its rules. */
export interface SarifRule {
  readonly id: string
  readonly shortDescription: { readonly text: string }
  readonly help: { readonly text: string }
  readonly [further: string]: unknown
}

interface SarifRun {
  readonly tool: { readonly name: string; readonly version?: string; readonly semanticVersion: string }
  readonly rules: readonly SarifRule[]
  readonly automationDetails?: { readonly id: string }
  readonly invocation: { readonly executionSuccessful: boolean; readonly [further: string]: unknown }
  readonly results: readonly object[]
  readonly properties: object
}

export function writeSarif({ tool, rules, automationDetails, invocation, ...rest }: SarifRun): string {
  const run = { tool: { driver: { ...tool, rules } }, automationDetails, invocations: [invocation], ...rest }
  return writeJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  })
}
