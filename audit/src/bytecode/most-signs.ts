import { type ClassFile, type CodeOfMethod, ofCallSites } from './class-file.ts'
import { callSignsOf, createSigns, platformPackages } from './worth.ts'

const [method, interfaceMethod, text, site] = [10, 11, 8, 18]

/** Gives the signs of the methods that a class calls, by the numbers of their constants. */
export function signsOfCalls({ bytes, places, className, member, site: siteAt }: ClassFile): Uint8Array {
  const called = new Uint8Array(places.length)
  places.forEach((at, index) => {
    const tag = bytes[at]
    if (tag === site) {
      const { name, descriptor } = siteAt(index)
      called[index] = callSignsOf(ofCallSites, name, descriptor)
    }
    if (tag !== method && tag !== interfaceMethod) return
    const owner = className(bytes.readUInt16BE(at + 1))
    // Most calls are of other classes: their names are not read.
    if (!platformPackages.some((one) => owner.startsWith(one))) return
    const { name, descriptor } = member(index)
    called[index] = callSignsOf(owner, name, descriptor)
  })
  return called
}

interface MostSigns {
  /** Says whether the method could have signs that matter. */
  readonly mayTell: boolean
  /** As many instructions put something into an array at most. */
  readonly stores: number
}

/**
 * Gives the signs that a method can have at most: an instruction may begin at each of its bytes. Most methods have none,
 * and need not be decoded.
 */
export function createMostSigns(
  { bytes, places, constant }: ClassFile,
  called: Uint8Array,
  byText: ReadonlyMap<string, number>,
): (code: CodeOfMethod) => MostSigns {
  const loaded = new Uint8Array(places.length)
  const isSite = new Uint8Array(places.length)
  places.forEach((at, index) => {
    if (bytes[at] === site) isSite[index] = 1
    const value = bytes[at] === text ? constant(index) : undefined
    if (typeof value === 'string') loaded[index] = byText.get(value) ?? 0
  })
  return ({ start, end, descriptor }) => {
    const all = createSigns()
    let [stores, hasSite] = [0, false]
    const indexAt = (at: number) => ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (let at = start; at < end; at++) {
      const opcode = bytes[at] as number
      if (opcode === 0x12) all.text(loaded[bytes[at + 1] ?? 0] ?? 0)
      else if (opcode === 0x13 || opcode === 0x14) all.text(loaded[indexAt(at)] ?? 0)
      else if (opcode >= 0x4f && opcode <= 0x56) stores += 1
      else if (opcode >= 0xb6 && opcode <= 0xb9) all.call(called[indexAt(at)] ?? 0)
      else if (opcode === 0xba && isSite[indexAt(at)] === 1) hasSite = true
    }
    all.elements(stores)
    const mayTell =
      hasSite || all.isWorth() || all.hasPiece() || all.hasMasked() || all.isDecoder(() => descriptor)
    return { mayTell, stores }
  }
}
