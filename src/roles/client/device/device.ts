import type { CertificateAuthority } from '../../../base/tls/certificates.ts'

/** The person who operates the device: is shown an instruction, and has followed it when the promise resolves. */
export type DeviceOperator = (instruction: string) => Promise<void>

/** The device of a run: what it was told stays set from one requirement to the next. */
export interface Device {
  /** Null where a program operates it, which sets it up as well. */
  readonly operator: DeviceOperator | null
  /** Authority that the device is asked to trust. Its key is in memory only. */
  readonly authority: CertificateAuthority
  /** True once the person was told how to set it up. */
  isSetUp: boolean
  /** Resolves once no client is open on the device. */
  free: Promise<void>
}
