/** Where a command writes: what scripts read goes to `stdout`, everything else to `stderr`. */
export interface Output {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}
