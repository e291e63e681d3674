/**
 * The instructions of Hermes by their numbers, one after the other: what their operands are, in letters, and the name of
 * each that matters here. `@` says in which versions there is one.
 *
 * `r` a register, `R` one of 32 bits, `b` `h` `w` a number of 8, 16 or 32 bits without a sign, `i` one of 32 bits with a
 * sign, `j` `J` a distance of 8 or 32 bits, `d` a double; `-` none.
 */
const before98 = `
- rhhhh rhhww r rr NewArrayWithBuffer=rhhh NewArrayWithBufferLong=rhhw NewArray=rh Mov=rr MovLong=RR rr rr rr rr
rrr rrr rrr rrr rrr rrr rrr rrr Add=rrr rrr rrr rrr rrr rrr rrr rrr rrr rrr rrr rrr rrr rrr rrr rr@85 rr@85 rrr
rrr rb StoreToEnvironment=rbr StoreToEnvironmentL=rhr StoreNPToEnvironment=rbr StoreNPToEnvironmentL=rhr
LoadFromEnvironment=rrb LoadFromEnvironmentL=rrh GetGlobalObject=r r CreateEnvironment=r rrw@94 w w@94
GetByIdShort=rrbb GetById=rrbh GetByIdLong=rrbw TryGetById=rrbh TryGetByIdLong=rrbw rrbh rrbw rrbh rrbw rrb rrh
rrw rrh rrw PutOwnByIndex=rrb PutOwnByIndexL=rrw rrrb rrh rrw rrr rrr rrr rrrrb rrrr rrrrr Call=rrb rrb
Call1=rrr rbh Call2=rrrr Call3=rrrrr Call4=rrrrrr CallLong=rrw rrw rbw rbb rbw rb Ret=r Catch=r rr@84-94 rrb@96
Throw=r rr - - h rrh rrw rrh rrw rrh rrw rrr rrr rb rw LoadConstUInt8=rb LoadConstInt=ri LoadConstDouble=rd
rh@89 rw@89 LoadConstString=rh LoadConstStringLongIndex=rw r r r r r LoadConstZero=r rr r rr rr@89 rr
AddEmptyString=rr rrr rr r rwww rwJww - rr - rrh rrw rr rrr rb j J jr Jr jr Jr jr Jr j J jrr Jrr jrr Jrr jrr Jrr
jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr
jrr Jrr jrr Jrr jrr Jrr
`

const from98 = `
- rhh rww rrww rrwwb@99 r rr NewArrayWithBuffer=rhhh NewArrayWithBufferLong=rhhw NewArray=rh rh rr rrr rrr rr rr
rrwb@98-98 Mov=rr MovLong=RR rr rr rr rr rrr rrr rrr rrr rrr rrr rrr rrr Add=rrr rrr AddS=rrr rrr rrr rrr rrr
rrr rrr rrr rrr rrr rrr rrr rrr rrr rr rr rrr rrr rrrr rrh rb rrb rr StoreToEnvironment=rbr
StoreToEnvironmentL=rhr StoreNPToEnvironment=rbr StoreNPToEnvironmentL=rhr LoadFromEnvironment=rrb
LoadFromEnvironmentL=rrh GetGlobalObject=r r rr CreateFunctionEnvironment=rb CreateTopLevelEnvironment=rw
CreateEnvironment=rrw w GetByIdShort=rrbb GetById=rrbh GetByIdLong=rrbw rrbrw TryGetById=rrbh
TryGetByIdLong=rrbw rrbh rrbh rrbw rrbw rrbh rrbh rrbw rrbw rrb rrw rrb rrw rrbh rrbw DefineOwnByIndex=rrb
DefineOwnByIndexL=rrw DefineOwnInDenseArray=rrb DefineOwnInDenseArrayL=rrh rrrb rrr rrb rrrr rrr rrr rrrrb rrrb
rrr rrbr rrbr rrrrb rrrr rrrrr Call=rrb rrb Call1=rrr rrrb Call2=rrrr Call3=rrrrr Call4=rrrrrr rrrr rrw rbb rbw
rb Ret=r Catch=r rrb Throw=r rr rr r - - h rrrh rrrw rrrrh rrrrw rrh rrw rrb rrrb rrr rb rw LoadConstUInt8=rb
LoadConstInt=ri LoadConstDouble=rd rh rw LoadConstString=rh LoadConstStringLongIndex=rw r r r r r
LoadConstZero=r rr r rr rr rr rr@99 AddEmptyString=rr rw rrr rrr rr r r rr rwww rwJww rwwJw rrh rrw rr rrr rb rr
j J jr Jr jr Jr jr Jr Jrh jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr
Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jrr Jrr jbr Jbr jbr Jbr
`

/** Versions of released engines. The numbers changed within other versions while they were developed. */
const released = new Set([84, 85, 89, 90, 94, 96, 98, 99])

const sizes: Readonly<Record<string, number>> = { r: 1, R: 4, b: 1, h: 2, w: 4, i: 4, j: 1, J: 4, d: 8 }

export interface Instruction {
  /** Empty for those that do not matter here. */
  readonly name: string
  /** A letter for each operand. */
  readonly operands: string
  /** Where each operand is, behind the number of the instruction. */
  readonly offsets: readonly number[]
  /** With its number, in bytes. */
  readonly length: number
}

/** How many registers of a frame follow the first one of a call, which holds `this`; arguments are before it, backwards. */
export function registersBehindThis(version: number): number {
  return version >= 98 ? 8 : 7
}

/** `null` for a version whose instructions are not known for certain. */
export function instructionsOf(version: number): readonly Instruction[] | null {
  if (!released.has(version)) return null
  return (version < 98 ? before98 : from98)
    .trim()
    .split(/\s+/)
    .flatMap((text) => {
      const [, name = '', operands = '', first = '0', last = '999'] =
        /^(?:(\w+)=)?([a-zA-Z-]+)(?:@(\d+)(?:-(\d+))?)?$/.exec(text) ?? []
      return version >= Number(first) && version <= Number(last) ? [instructionOf(name, operands)] : []
    })
}

function instructionOf(name: string, letters: string): Instruction {
  const operands = letters.replace('-', '')
  let length = 1
  const offsets = [...operands].map((letter) => {
    length += sizes[letter] ?? 0
    return length - (sizes[letter] ?? 0)
  })
  return { name, operands, offsets, length }
}
