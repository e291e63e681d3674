export interface TokenConfiguration {
  /** A JSONPath into the mint's body, or `auto`. */
  readonly field: string
  /** A claim's literal name, a JSONPath when it begins with `$`, or `auto`. */
  readonly userIdClaim: string
  /** An http(s) URL, or an absolute file path. */
  readonly jwks?: string | undefined
  readonly signWith?:
    | { readonly alg: string; readonly privateKey: string }
    | { readonly alg: string; readonly secret: string }
    | undefined
}
