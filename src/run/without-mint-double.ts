import type { Configuration } from '../configuration/configuration.ts'

/** Its address belongs to the process that judges the backend; a client has nothing to do with it. */
export function withoutMintDouble({ backend, ...configuration }: Configuration): Configuration {
  if (backend === undefined) return configuration
  const { fakeMint: _, ...rest } = backend
  return { ...configuration, backend: rest }
}
