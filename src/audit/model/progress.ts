/** Is told what is about to be read, and how many bytes that are. */
export type Progress = (location: string, bytes: number) => void

const step = 1024 * 1024

/** Says after each megabyte what is read next, and how many bytes were read before. Locations inside containers are told. */
export function throttleProgress(tell: Progress): Progress {
  let read = 0
  let told = 0
  return (location, bytes) => {
    if (read - told >= step) {
      told = read
      tell(location, read)
    }
    read += bytes
  }
}
