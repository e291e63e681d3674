import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTempFolder } from '../base/temp-folder.ts'
import { betweenBlockLooksMs } from '../base/times.ts'
import { withReason } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'

/** A process that judges was blocked, as its watchdog wrote it. */
export interface BlockedLoop {
  /** The requirement and what it was reading. */
  readonly what: string
  readonly seconds: number
}

/** `onBlocked` is called once for each, while the process is still blocked. */
export async function watchForBlockedLoops(onBlocked: (block: BlockedLoop) => void) {
  const folder = await openTempFolder()
  const file = join(folder.path, 'blocked')
  const blocks: BlockedLoop[] = []
  const look = async () => {
    const text = await readFile(file, 'utf8').catch(() => '')
    const lines = text.split('\n').slice(0, -1)
    for (const line of lines.slice(blocks.length)) {
      const block: BlockedLoop = JSON.parse(line)
      blocks.push(block)
      onBlocked(block)
    }
    return blocks
  }
  const looking = setInterval(() => void look(), betweenBlockLooksMs)
  return {
    file,
    list: look,
    async [Symbol.asyncDispose]() {
      clearInterval(looking)
      await folder[Symbol.asyncDispose]()
    },
  }
}

export function addBlockedLoops(
  checks: readonly CheckResult[],
  blocks: readonly BlockedLoop[],
): readonly CheckResult[] {
  return checks.map((check) => {
    const own = blocks.filter(({ what }) => what.startsWith(`${check.id},`))
    const notes = own.map(
      ({ what, seconds }) => `blocked the suite for ${seconds} s or more,${what.slice(check.id.length + 1)}`,
    )
    return notes.length === 0 ? check : { ...check, ...withReason(check, notes.join('; ')) }
  })
}
