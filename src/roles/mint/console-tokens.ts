/** Test tokens of the developer console, made by hand or by a tool in its place. */
export interface ConsoleTokens {
  /**
   * @param ttlSeconds the lifetime that the tool is asked for; it need not take one
   * Throws `ControlLost` where the command prints no token.
   */
  fetch(userId: string, ttlSeconds?: number): Promise<string>
}
