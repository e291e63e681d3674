import { expect, test } from 'vitest'
import { failed } from '../engine/or-gap.ts'
import { fingerprintOf } from '../model/fingerprint.ts'
import { auditFiles, key } from '../testing/audit-files.ts'
import { cpuSeconds } from '../testing/cpu-seconds.ts'
import { hostileTexts } from '../testing/hostile-texts.ts'

/** The proof of the audit reads each of them in the size of a megabyte. */
const size = 64 * 1024

test.each(Object.entries(hostileTexts))(
  '%s: neither stall an audit nor end it',
  async (_, { file, text }) => {
    const files = { [`hostile/${file}`]: text(size), 'next.txt': ` ${key} ` }
    let result: Awaited<ReturnType<typeof auditFiles>> | undefined
    const cost = await cpuSeconds(async () => {
      result = await auditFiles(files)
    })
    expect(cost).toBeLessThan(3)
    expect(result?.gaps.filter(({ reason }) => reason.startsWith(failed))).toEqual([])
    expect(result?.findings.filter(({ location }) => location === 'dist/next.txt')).toMatchObject([
      { rule: 'AUD-001', fingerprint: fingerprintOf(key) },
    ])
  },
)
