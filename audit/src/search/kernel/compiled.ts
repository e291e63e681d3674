import { AuditError } from '../../model/audit-error.ts'
import { kernelBase64 } from './bytes.ts'

let module: WebAssembly.Module | undefined

/** The kernel, compiled once. @throws AuditError where the platform has no SIMD */
export function compiled(): WebAssembly.Module {
  try {
    module ??= new WebAssembly.Module(Buffer.from(kernelBase64, 'base64'))
    return module
  } catch (error) {
    throw new AuditError('usage', 'the audit needs a Node with WebAssembly and SIMD', error)
  }
}
