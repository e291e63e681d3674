import { connectEngine } from '../../../run/provision/engine/engine.ts'

/** Without an engine nothing of this can be tested: that is said once, and is a failure. */
export default async function engineNeeded(): Promise<void> {
  await connectEngine()
}
