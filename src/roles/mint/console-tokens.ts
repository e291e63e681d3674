/** Test tokens of the developer console, made by hand or by a tool in its place. */
export interface ConsoleTokens {
  /** The tool need not heed `ttlSeconds`. Throws `ControlLost` where it prints no token. */
  fetch(userId: string, ttlSeconds?: number): Promise<string>
}
