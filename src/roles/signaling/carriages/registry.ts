import type { Output } from '../../../base/schema/leaves.ts'
import { cookie } from './cookie.ts'
import { createCarriageRegistry } from './create-registry.ts'
import { header } from './header.ts'
import { message } from './message.ts'
import { query } from './query.ts'
import { subprotocol } from './subprotocol.ts'

/** Every carriage that a profile may name, in the order in which its schema does. */
const carriageKinds = [header, subprotocol, query, cookie, message] as const

export const carriages = createCarriageRegistry(carriageKinds)

/** How a client carries the calling token to signaling. */
export type Carriage = Output<typeof carriages.schema>
