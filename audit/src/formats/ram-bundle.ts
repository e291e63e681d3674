import type { MarkedFormat } from './audited-format.ts'

/** React Native's indexed bundles: scripts that follow each other. */
export const ramBundle: MarkedFormat = {
  by: 'mark',
  name: 'ram-bundle',
  marks: [0xe5d10bfb],
  async readMore(audit, file) {
    const { auditRamBundle } = await import('../script/page.ts')
    await auditRamBundle(audit, file)
  },
}
