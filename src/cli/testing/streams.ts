export function openStreams() {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    isTTY: false,
    columns: 80,
    write(text: string) {
      written[name] += text
    },
  })
  return { written, stdout: stream('stdout'), stderr: stream('stderr') }
}
