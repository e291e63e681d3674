import { parentPort, workerData } from 'node:worker_threads'

/** As much of `@sparticuz/chromium` as is used; it may not be installed. */
interface ChromiumPackage {
  readonly default: { executablePath(): Promise<string> }
}

// The package unpacks into the temporary folder, which is a private one in this thread's environment.
const { default: chromium }: ChromiumPackage = await import(workerData)
parentPort?.postMessage(await chromium.executablePath())
