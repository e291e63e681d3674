import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collectNow: (() => void) | null = null

/** Takes away what is done with, which V8 lets pile up to gigabytes. */
export function collectGarbage(): void {
  if (collectNow === null) {
    setFlagsFromString('--expose-gc')
    collectNow = runInNewContext('gc') as () => void
  }
  collectNow()
}
