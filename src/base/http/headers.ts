export type Headers = readonly (readonly [name: string, value: string])[]

/** The value of a header, the first where there are several; `undefined` where there is none. */
export function headerOf(headers: Headers, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1]
}
