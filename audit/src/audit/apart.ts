import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AuditError } from '../model/audit-error.ts'
import type { AuditResult } from '../model/finding.ts'
import type { AuditSettings } from '../model/settings.ts'
import type { AuditedText, NamedText } from './texts.ts'

type Settings = Omit<AuditSettings, 'onProgress'>

/** An audit for another thread to do. */
export type ApartOrder =
  | { readonly paths: readonly string[]; readonly directory: string; readonly settings: Settings }
  | { readonly texts: readonly NamedText[]; readonly settings: Settings }

export type ApartAnswer = { readonly done: unknown } | { readonly usage: string }

const program = ['apart.worker.ts', 'apart.worker.js']
  .map((name) => join(import.meta.dirname, name))
  .find(existsSync)

/** Audits paths in a thread of their own, so that the process that judges goes on meanwhile. */
export async function auditPathsApart(
  paths: readonly string[],
  directory: string,
  settings: Settings,
): Promise<AuditResult> {
  return (await order({ paths, directory, settings })) as AuditResult
}

/** The same for texts. */
export async function auditTextsApart(
  texts: readonly NamedText[],
  settings: Settings,
): Promise<readonly AuditedText[]> {
  return (await order({ texts, settings })) as readonly AuditedText[]
}

/** @throws AuditError for a path that does not exist */
async function order(asked: ApartOrder): Promise<unknown> {
  if (program === undefined) throw new Error('the program of the thread that audits is missing')
  const worker = new Worker(program)
  try {
    const answer = await new Promise<ApartAnswer>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the thread that audits has ended')))
      worker.postMessage(asked)
    })
    if ('usage' in answer) throw new AuditError('usage', answer.usage)
    return answer.done
  } finally {
    worker.removeAllListeners()
    await worker.terminate()
  }
}
