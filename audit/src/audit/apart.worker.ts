import { parentPort } from 'node:worker_threads'
import { AuditError } from '../model/audit-error.ts'
import type { ApartAnswer, ApartOrder } from './apart.ts'
import { auditPaths } from './audit.ts'
import { auditTexts } from './texts.ts'

parentPort?.once('message', async (order: ApartOrder) => {
  const tell = (answer: ApartAnswer) => parentPort?.postMessage(answer)
  try {
    const { settings } = order
    if ('texts' in order) tell({ done: await auditTexts(order.texts, settings) })
    else tell({ done: await auditPaths(order.paths, order.directory, settings) })
  } catch (error) {
    if (!(error instanceof AuditError)) throw error
    tell({ usage: error.message })
  }
})
