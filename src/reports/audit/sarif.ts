import type { AuditResult, Finding } from '../../../audit/src/api.ts'
import { ruleTexts } from '../../../audit/src/api.ts'
import { pageAddress, version } from '../../base/version.ts'
import { messageText, writeSarif } from '../sarif-log.ts'

/** Rules whose findings give a key, or the way to the mint, to every user of the bundle. */
const grave = new Set(['AUD-001', 'AUD-005', 'AUD-006', 'AUD-007', 'AUD-010', 'AUD-020'])

/** SARIF 2.1.0. A finding inside a container points at the outermost file; other places of its secret are related locations. */
export function renderAuditSarif({ audited, findings, gaps }: AuditResult): string {
  const rules = Object.entries(ruleTexts).map(([id, { title, advice }]) => ({
    id,
    shortDescription: { text: title },
    help: { text: advice },
    helpUri: pageAddress('audit', 'what-comes-out'),
    properties: { tags: ['security'], 'security-severity': grave.has(id) ? '9.0' : '4.0' },
  }))
  return writeSarif({
    tool: { name: 'twotoken', version, semanticVersion: version },
    rules,
    invocation: {
      executionSuccessful: true,
      toolExecutionNotifications: gaps.map(({ rule, location, reason }) => ({
        level: 'warning',
        message: messageText(`${location}: ${reason}`),
        descriptor: { id: rule },
        locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(location) } } }],
      })),
    },
    results: findings.map(resultOf),
    properties: { complete: gaps.length === 0, audited },
  })
}

function resultOf(finding: Finding) {
  const { rule, level, location, offset, line, column, shown, fingerprint, decoder, also } = finding
  const isNested = location.includes('!')
  const region = line === undefined ? { byteOffset: offset } : { startLine: line, startColumn: column }
  return {
    ruleId: rule,
    level,
    message: messageText(`${ruleTexts[rule]?.title ?? rule}: ${shown}, in ${location} (${decoder})`),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(location) },
          region: isNested ? undefined : region,
        },
        logicalLocations: [{ fullyQualifiedName: location }],
      },
    ],
    relatedLocations: also?.map((place) => ({
      message: { text: 'the same secret, or a piece of it' },
      physicalLocation: { artifactLocation: { uri: uriOf(place) } },
      logicalLocations: [{ fullyQualifiedName: place }],
    })),
    partialFingerprints: { secret: fingerprint },
  }
}

function uriOf(location: string): string {
  return encodeURI((location.split('!')[0] ?? location).toWellFormed())
}
