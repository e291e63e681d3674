import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import type { Hider } from '../../../base/evidence/hide.ts'
import { openTempFolder } from '../../../base/temp-folder.ts'
import { maskPage, unreadable } from './mask-page.ts'
import { redactTrace } from './redacted-trace.ts'

/** Ends the trace of a page; where nothing was wrong with the page, it takes no picture and drops the trace. */
export type FinishTrace = (page: Page, isWell: boolean) => Promise<void>

/** Number of pages to trace: the first ones show enough of a check that opens many. */
const mostPages = 3

interface Caught {
  readonly trace: string
  readonly screenshot: Buffer | null
  /** Words that could be read on the page when the screenshot was taken. */
  readonly words: string
}

/** Traces and screenshots of a check's pages, until it is known whether the report needs them. The first file makes `folder`. */
export async function createTraceRecorder(folder: string, hider: Hider) {
  const temporary = await openTempFolder()
  const caught = new Map<string, Caught[]>()
  const followed = new Map<string, number>()
  let count = 0

  const write = async (name: string, { trace, screenshot, words }: Caught): Promise<string[]> => {
    await mkdir(folder, { recursive: true })
    const written = [`${name}.zip`]
    await writeFile(join(folder, `${name}.zip`), redactTrace(await readFile(trace), hider))
    if (screenshot === null) return written
    if (hider.own(words) !== words) return [...written, `${name}.png omitted: the page showed a secret`]
    await writeFile(join(folder, `${name}.png`), screenshot)
    return [...written, `${name}.png`]
  }

  return {
    /** Called when a context is opened; the result when its page is about to close. */
    async follow(checkId: string, context: BrowserContext): Promise<FinishTrace> {
      const order = (followed.get(checkId) ?? 0) + 1
      followed.set(checkId, order)
      if (order > mostPages) return () => Promise.resolve()
      await context.tracing.start({ snapshots: true, screenshots: false })
      return async (page, isWell) => {
        if (isWell) return await context.tracing.stop()
        const trace = join(temporary.path, `${++count}.zip`)
        await context.tracing.stop({ path: trace })
        const screenshot = await maskPage(page, (text) => hider.text(text))
          .then(() => page.screenshot({ timeout: 20_000, mask: [page.locator(unreadable)] }))
          .catch(() => null)
        const words = await page.evaluate(() => document.documentElement.outerText).catch(() => '')
        caught.set(checkId, [...(caught.get(checkId) ?? []), { trace, screenshot, words }])
      }
    },
    /** Gives the traces of the one to the other, too: a check, or a name that keeps them for checks to come. */
    share(from: string, to: string): void {
      caught.set(to, [...(caught.get(to) ?? []), ...(caught.get(from) ?? [])])
    },
    /** Writes what may be shown of the traces of a check, or deletes them. Returns the names of the files, and what was left out. */
    async settle(checkId: string, isWanted: boolean): Promise<string[]> {
      const own = caught.get(checkId) ?? []
      caught.delete(checkId)
      if (!isWanted) {
        const kept = new Set([...caught.values()].flat())
        for (const one of own) if (!kept.has(one)) await rm(one.trace, { force: true })
        return []
      }
      const names = await Promise.all(own.map((one, index) => write(`${checkId}-${index + 1}`, one)))
      return names.flat()
    },
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  }
}
