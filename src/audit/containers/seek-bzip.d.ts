declare module 'seek-bzip' {
  interface Output {
    writeByte(byte: number): void
  }
  const bunzip: {
    /** Throws where the data is corrupt. With `isMulti`, streams that follow each other are read as one. */
    decode(input: Uint8Array, output: Output, isMulti: boolean): unknown
  }
  export default bunzip
}
