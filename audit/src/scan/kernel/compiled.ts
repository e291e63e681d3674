import { kernelBase64 } from './bytes.ts'

let module: WebAssembly.Module | null | undefined

/** The kernel; `null` where the platform has no SIMD. */
export function compiled(): WebAssembly.Module | null {
  if (module !== undefined) return module
  try {
    module = new WebAssembly.Module(Buffer.from(kernelBase64, 'base64'))
  } catch {
    module = null
  }
  return module
}
