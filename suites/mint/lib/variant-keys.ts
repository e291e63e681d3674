import type { Catch } from '../../../src/requirement/define.ts'

type Mint = NonNullable<Catch['mint']>

/** A mint that reads the key of a request elsewhere, too. */
export function readsKey(read: NonNullable<Mint['presentedKey']>): Catch {
  return { mint: { presentedKey: (request) => bearerOf(request.headers.authorization) ?? read(request) } }
}

export function bearerOf(authorization = ''): string | null {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? null
}
