import type { FullResult, Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { type ClientRunMessage, reportAttachment } from './worker-protocol.ts'

/** Sends the reports of the client's checks to the command that has forked Playwright. */
export default class IpcReporter implements Reporter {
  onBegin(): void {
    // The command was killed, so nothing receives the reports.
    process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
    send({ type: 'started' })
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const report = result.attachments.find(({ name }) => name === reportAttachment)?.body
    if (report !== undefined) send({ type: 'report', report: JSON.parse(report.toString('utf8')) })
    else if (result.error !== undefined)
      send({ type: 'error', message: `${test.title}: ${firstLine(result.error)}` })
  }

  onError(error: TestError): void {
    send({ type: 'error', message: firstLine(error) })
  }

  onEnd({ status }: FullResult): void {
    send({ type: 'ended', interrupted: status === 'interrupted' })
  }

  printsToStdio(): boolean {
    return true
  }
}

function send(message: ClientRunMessage): void {
  process.send?.(message)
}

function firstLine({ message = 'it failed' }: TestError): string {
  return message.split('\n')[0] ?? message
}
