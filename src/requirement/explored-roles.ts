/** The parts that can be explored. Apart from what needs a schema: every command line is read with it. */
export const exploredRoles = ['mint', 'backend', 'signaling'] as const
export type ExploredRole = (typeof exploredRoles)[number]
