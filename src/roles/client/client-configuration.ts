import type { Address } from '../../base/http/listening.ts'
import type { Limits } from '../../base/limits.ts'
import type { TokenConfiguration } from '../../base/tokens/token-configuration.ts'
import type { BackendConfiguration } from '../backend/types.ts'
import type { MintConfiguration } from '../mint/types.ts'
import type { SignalingConfiguration } from '../signaling/types.ts'

/** A page with its driver, a program with its command, or a device that is observed: one of them at least. */
export interface ClientConfiguration {
  readonly url?: string | undefined
  /** Absolute path of the module that operates the page. */
  readonly driver?: string | undefined
  /** A shell command, run in the configuration's folder, that speaks the line protocol. */
  readonly command?: string | undefined
  /** Doubles of a program or a device speak https and wss, with the suite's throwaway CA. */
  readonly tls: boolean
  /** How a device that is observed reaches the doubles. */
  readonly observe?: DeviceSettings | undefined
  /** Hosts of the customer besides those of the page and the token route; `*` matches a part of a name. */
  readonly ownHosts: readonly string[]
  /** Hosts of the calling service besides signaling's, which may get the calling JWT over HTTP; `*` as above. */
  readonly serviceHosts: readonly string[]
  /** Absolute path of the browser to use. */
  readonly browser?: string | undefined
  readonly users: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly backendUrl?: string | undefined
  readonly signalingUrl?: string | undefined
}

/** Addresses that the app is told, or a proxy that the device is told. */
export type DeviceSettings =
  | ({ readonly by: 'addresses' } & Address)
  | ({ readonly by: 'proxy' } & DeviceProxySettings)

export interface DeviceProxySettings extends Address {
  /** Hosts of the device's system, which are forwarded unread; `*` as above. */
  readonly forwardUnread: readonly string[]
}

/** The parts of a configuration by which the doubles around a client act. */
export interface DoublesConfiguration {
  /** Absolute folder in which a program is started. */
  readonly directory: string
  readonly client?: ClientConfiguration | undefined
  readonly backend?: BackendConfiguration | undefined
  readonly signaling?: SignalingConfiguration | undefined
  readonly mint?: MintConfiguration | undefined
  readonly bundle?: { readonly mintHost?: string | undefined } | undefined
  readonly token: TokenConfiguration
  readonly limits: Limits
}
