/** How far an audit is, in innermost files and in bytes after decompression. What is known grows as archives are opened. */
export interface Work {
  readonly files: number
  readonly bytes: number
  readonly knownFiles: number
  readonly knownBytes: number
}

/** Is told what is about to be read; how far the audit is by then costs a look at each file that is left. */
export type OnProgress = (location: string, work: () => Work) => void

/** Is told what is about to be read, and how many bytes that are. */
export type Progress = (location: string, bytes: number) => void

/** What an audit that is followed counts. */
export interface Followed {
  /** Read so far. */
  bytes: number
  /** What the containers in the file at hand hold beyond what they are themselves. */
  inside: { readonly files: number; readonly bytes: number }
  work: () => Work
}

const step = 1024 * 1024

export function createFollowed(): Followed {
  const followed: Followed = {
    bytes: 0,
    inside: { files: 0, bytes: 0 },
    work: () => ({ files: 0, bytes: followed.bytes, knownFiles: 0, knownBytes: followed.bytes }),
  }
  return followed
}

/** Says after each megabyte what is read next. Locations inside containers are told. */
export function throttleProgress(followed: Followed, tell: OnProgress): Progress {
  let told = 0
  return (location, bytes) => {
    if (followed.bytes - told >= step) {
      told = followed.bytes
      tell(location, () => followed.work())
    }
    followed.bytes += bytes
  }
}

/** Counts what a container turns out to hold. */
export function grow(followed: Followed | null, files: number, bytes: number): void {
  if (followed === null) return
  const { inside } = followed
  followed.inside = { files: inside.files + files, bytes: inside.bytes + bytes }
}
