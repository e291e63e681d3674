import { bodyShapes } from '../mint/body-shape.ts'
import type { MintDouble } from '../mint/double.ts'
import type { Backend } from './driver.ts'

/** Where no real mint shows its body shape, the first that the backend understands is kept (clause 4.1). */
export async function settleShape(double: MintDouble, backend: Backend): Promise<void> {
  await double.runExclusive(async (scripted) => {
    scripted.lifetime(3)
    for (const shape of bodyShapes) {
      scripted.shape(shape)
      if (backend.tokenOf(await backend.request()) === null) continue
      double.setDefaultShape(shape)
      return
    }
  })
}

/** The authorities to trust in addition (`tls.ca`), as PEM. */
