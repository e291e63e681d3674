export type Headers = readonly (readonly [name: string, value: string])[]

/** The value of a header, the first where there are several; `undefined` where there is none. */
export function headerOf(headers: Headers, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1]
}

/** The credential of a bearer header, in any case of the scheme; null where there is none. */
export function bearerOf(headers: Headers): string | null {
  return /^bearer +(.+)$/i.exec(headerOf(headers, 'authorization') ?? '')?.[1] ?? null
}
