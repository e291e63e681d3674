/**
 * The instructions of Hermes by their numbers, one after the other: a name, and what its operands are, in letters. `@` says
 * in which versions there is one; behind `/J`, the next number is that of the same jump with a distance of 32 bits.
 *
 * `r` a register, `R` one of 32 bits, `b` `h` `w` a number of 8, 16 or 32 bits without a sign, `i` one of 32 bits with a
 * sign, `j` `J` a distance of 8 or 32 bits, `d` a double; `-` none.
 */
const before98 = `
Unreachable=- NewObjectWithBuffer=rhhhh NewObjectWithBufferLong=rhhww NewObject=r NewObjectWithParent=rr
NewArrayWithBuffer=rhhh NewArrayWithBufferLong=rhhw NewArray=rh Mov=rr MovLong=RR Negate=rr Not=rr BitNot=rr
TypeOf=rr Eq=rrr StrictEq=rrr Neq=rrr StrictNeq=rrr Less=rrr LessEq=rrr Greater=rrr GreaterEq=rrr Add=rrr
AddN=rrr Mul=rrr MulN=rrr Div=rrr DivN=rrr Mod=rrr Sub=rrr SubN=rrr LShift=rrr RShift=rrr URshift=rrr BitAnd=rrr
BitXor=rrr BitOr=rrr Inc=rr@85 Dec=rr@85 InstanceOf=rrr IsIn=rrr GetEnvironment=rb StoreToEnvironment=rbr
StoreToEnvironmentL=rhr StoreNPToEnvironment=rbr StoreNPToEnvironmentL=rhr LoadFromEnvironment=rrb
LoadFromEnvironmentL=rrh GetGlobalObject=r GetNewTarget=r CreateEnvironment=r CreateInnerEnvironment=rrw@94
DeclareGlobalVar=w ThrowIfHasRestrictedGlobalProperty=w@94 GetByIdShort=rrbb GetById=rrbh GetByIdLong=rrbw
TryGetById=rrbh TryGetByIdLong=rrbw PutById=rrbh PutByIdLong=rrbw TryPutById=rrbh TryPutByIdLong=rrbw
PutNewOwnByIdShort=rrb PutNewOwnById=rrh PutNewOwnByIdLong=rrw PutNewOwnNEById=rrh PutNewOwnNEByIdLong=rrw
PutOwnByIndex=rrb PutOwnByIndexL=rrw PutOwnByVal=rrrb DelById=rrh DelByIdLong=rrw GetByVal=rrr PutByVal=rrr
DelByVal=rrr PutOwnGetterSetterByVal=rrrrb GetPNameList=rrrr GetNextPName=rrrrr Call=rrb Construct=rrb Call1=rrr
CallDirect=rbh Call2=rrrr Call3=rrrrr Call4=rrrrrr CallLong=rrw ConstructLong=rrw CallDirectLongIndex=rbw
CallBuiltin=rbb CallBuiltinLong=rbw GetBuiltinClosure=rb Ret=r Catch=r DirectEval=rr@84-94 DirectEval=rrb@96
Throw=r ThrowIfEmpty=rr Debugger=- AsyncBreakCheck=- ProfilePoint=h CreateClosure=rrh CreateClosureLongIndex=rrw
CreateGeneratorClosure=rrh CreateGeneratorClosureLongIndex=rrw CreateAsyncClosure=rrh
CreateAsyncClosureLongIndex=rrw CreateThis=rrr SelectObject=rrr LoadParam=rb LoadParamLong=rw LoadConstUInt8=rb
LoadConstInt=ri LoadConstDouble=rd LoadConstBigInt=rh@89 LoadConstBigIntLongIndex=rw@89 LoadConstString=rh
LoadConstStringLongIndex=rw LoadConstEmpty=r LoadConstUndefined=r LoadConstNull=r LoadConstTrue=r
LoadConstFalse=r LoadConstZero=r CoerceThisNS=rr LoadThisNS=r ToNumber=rr ToNumeric=rr@89 ToInt32=rr
AddEmptyString=rr GetArgumentsPropByVal=rrr GetArgumentsLength=rr ReifyArguments=r CreateRegExp=rwww
SwitchImm=rwJww StartGenerator=- ResumeGenerator=rr CompleteGenerator=- CreateGenerator=rrh
CreateGeneratorLongIndex=rrw IteratorBegin=rr IteratorNext=rrr IteratorClose=rb Jmp=j/J JmpTrue=jr/J
JmpFalse=jr/J JmpUndefined=jr/J SaveGenerator=j/J JLess=jrr/J JNotLess=jrr/J JLessN=jrr/J JNotLessN=jrr/J
JLessEqual=jrr/J JNotLessEqual=jrr/J JLessEqualN=jrr/J JNotLessEqualN=jrr/J JGreater=jrr/J JNotGreater=jrr/J
JGreaterN=jrr/J JNotGreaterN=jrr/J JGreaterEqual=jrr/J JNotGreaterEqual=jrr/J JGreaterEqualN=jrr/J
JNotGreaterEqualN=jrr/J JEqual=jrr/J JNotEqual=jrr/J JStrictEqual=jrr/J JStrictNotEqual=jrr/J
`

const from98 = `
Unreachable=- NewObjectWithBuffer=rhh NewObjectWithBufferLong=rww NewObjectWithBufferAndParent=rrww
NewTypedObjectWithBuffer=rrwwb@99 NewObject=r NewObjectWithParent=rr NewArrayWithBuffer=rhhh
NewArrayWithBufferLong=rhhw NewArray=rh NewFastArray=rh FastArrayLength=rr FastArrayLoad=rrr FastArrayStore=rrr
FastArrayPush=rr FastArrayAppend=rr CacheNewObject=rrwb@98-98 Mov=rr MovLong=RR Negate=rr Not=rr BitNot=rr
TypeOf=rr Eq=rrr StrictEq=rrr Neq=rrr StrictNeq=rrr Less=rrr LessEq=rrr Greater=rrr GreaterEq=rrr Add=rrr
AddN=rrr AddS=rrr Mul=rrr MulN=rrr Div=rrr DivN=rrr Mod=rrr Sub=rrr SubN=rrr LShift=rrr RShift=rrr URshift=rrr
BitAnd=rrr BitXor=rrr BitOr=rrr Inc=rr Dec=rr InstanceOf=rrr IsIn=rrr PrivateIsIn=rrrr TypeOfIs=rrh
GetParentEnvironment=rb GetEnvironment=rrb GetClosureEnvironment=rr StoreToEnvironment=rbr
StoreToEnvironmentL=rhr StoreNPToEnvironment=rbr StoreNPToEnvironmentL=rhr LoadFromEnvironment=rrb
LoadFromEnvironmentL=rrh GetGlobalObject=r GetNewTarget=r LoadParentNoTraps=rr CreateFunctionEnvironment=rb
CreateTopLevelEnvironment=rw CreateEnvironment=rrw DeclareGlobalVar=w GetByIdShort=rrbb GetById=rrbh
GetByIdLong=rrbw GetByIdWithReceiverLong=rrbrw TryGetById=rrbh TryGetByIdLong=rrbw PutByIdLoose=rrbh
PutByIdStrict=rrbh PutByIdLooseLong=rrbw PutByIdStrictLong=rrbw TryPutByIdLoose=rrbh TryPutByIdStrict=rrbh
TryPutByIdLooseLong=rrbw TryPutByIdStrictLong=rrbw PutOwnBySlotIdx=rrb PutOwnBySlotIdxLong=rrw
GetOwnBySlotIdx=rrb GetOwnBySlotIdxLong=rrw DefineOwnById=rrbh DefineOwnByIdLong=rrbw DefineOwnByIndex=rrb
DefineOwnByIndexL=rrw DefineOwnInDenseArray=rrb DefineOwnInDenseArrayL=rrh DefineOwnByVal=rrrb GetByVal=rrr
GetByIndex=rrb GetByValWithReceiver=rrrr PutByValLoose=rrr PutByValStrict=rrr PutByValWithReceiver=rrrrb
DelByVal=rrrb AddOwnPrivateBySym=rrr GetOwnPrivateBySym=rrbr PutOwnPrivateBySym=rrbr
DefineOwnGetterSetterByVal=rrrrb GetPNameList=rrrr GetNextPName=rrrrr Call=rrb Construct=rrb Call1=rrr
CallWithNewTarget=rrrb Call2=rrrr Call3=rrrrr Call4=rrrrrr CallWithNewTargetLong=rrrr CallRequire=rrw
CallBuiltin=rbb CallBuiltinLong=rbw GetBuiltinClosure=rb Ret=r Catch=r DirectEval=rrb Throw=r ThrowIfEmpty=rr
ThrowIfUndefined=rr ThrowIfThisInitialized=r Debugger=- AsyncBreakCheck=- ProfilePoint=h CreateBaseClass=rrrh
CreateBaseClassLongIndex=rrrw CreateDerivedClass=rrrrh CreateDerivedClassLongIndex=rrrrw CreateClosure=rrh
CreateClosureLongIndex=rrw CreateThisForNew=rrb CreateThisForSuper=rrrb SelectObject=rrr LoadParam=rb
LoadParamLong=rw LoadConstUInt8=rb LoadConstInt=ri LoadConstDouble=rd LoadConstBigInt=rh
LoadConstBigIntLongIndex=rw LoadConstString=rh LoadConstStringLongIndex=rw LoadConstEmpty=r LoadConstUndefined=r
LoadConstNull=r LoadConstTrue=r LoadConstFalse=r LoadConstZero=r CoerceThisNS=rr LoadThisNS=r ToNumber=rr
ToNumeric=rr ToInt32=rr ToUint32=rr@99 AddEmptyString=rr CreatePrivateName=rw GetArgumentsPropByValLoose=rrr
GetArgumentsPropByValStrict=rrr GetArgumentsLength=rr ReifyArgumentsStrict=r ReifyArgumentsLoose=r
ToPropertyKey=rr CreateRegExp=rwww UIntSwitchImm=rwJww StringSwitchImm=rwwJw CreateGenerator=rrh
CreateGeneratorLongIndex=rrw IteratorBegin=rr IteratorNext=rrr IteratorClose=rb TypedLoadParent=rr Jmp=j/J
JmpTrue=jr/J JmpFalse=jr/J JmpUndefined=jr/J JmpTypeOfIs=Jrh JLess=jrr/J JNotLess=jrr/J JLessN=jrr/J
JNotLessN=jrr/J JLessEqual=jrr/J JNotLessEqual=jrr/J JLessEqualN=jrr/J JNotLessEqualN=jrr/J JGreater=jrr/J
JNotGreater=jrr/J JGreaterEqual=jrr/J JNotGreaterEqual=jrr/J JEqual=jrr/J JNotEqual=jrr/J JStrictEqual=jrr/J
JStrictNotEqual=jrr/J JmpBuiltinIs=jbr/J JmpBuiltinIsNot=jbr/J
`

/** Versions of released engines. The numbers changed within other versions while they were developed. */
const released = new Set([84, 85, 89, 90, 94, 96, 98, 99])

const sizes: Readonly<Record<string, number>> = { r: 1, R: 4, b: 1, h: 2, w: 4, i: 4, j: 1, J: 4, d: 8 }

export interface Instruction {
  /** Without the endings that tell sizes of operands, and strict code, apart: `GetById` for `GetByIdShort`. */
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

/** Functions of the engine that `CallBuiltin` calls, by the number of each. */
export function builtinsOf(version: number): ReadonlyMap<number, string> {
  const first = firstOwn(version)
  const named: [number, string][] = [
    [first + 2, 'getTemplateObject'],
    [first + 7, 'copyDataProperties'],
    [first + 8, 'copyRestArgs'],
    [first + 9, 'arraySpread'],
    [first + 10, 'apply'],
  ]
  if (version < 98) return new Map(named)
  // Version 99 sets names of functions here as well.
  const shift = version === 98 ? 0 : 1
  named.push(
    [first + 11, 'applyArguments'],
    [first + 16 + shift, 'functionPrototypeApply'],
    [first + 17 + shift, 'functionPrototypeCall'],
    [first + 18 + shift, 'spawnAsync'],
  )
  return new Map(named)
}

/** The number of the first function that is the engine's own; those of the language come before it. */
function firstOwn(version: number): number {
  if (version < 87) return 40
  return version < 98 ? 37 : 39
}

/** `null` for a version whose instructions are not known for certain. */
export function instructionsOf(version: number): readonly Instruction[] | null {
  if (!released.has(version)) return null
  return (version < 98 ? before98 : from98)
    .trim()
    .split(/\s+/)
    .flatMap((text) => {
      const [, name = '', operands = '', long, first = '0', last = '999'] =
        /^(\w+)=([a-zA-Z-]+)(\/J)?(?:@(\d+)(?:-(\d+))?)?$/.exec(text) ?? []
      if (version < Number(first) || version > Number(last)) return []
      const one = instructionOf(name, operands)
      return long === undefined ? [one] : [one, instructionOf(name, operands.replace('j', 'J'))]
    })
}

const sizeOrMode = /(?:Loose|Strict)?(?:LongIndex|Long|Short|(?<=Environment|Index|Array)L)?$/

function instructionOf(name: string, letters: string): Instruction {
  const operands = letters.replace('-', '')
  let length = 1
  const offsets = [...operands].map((letter) => {
    length += sizes[letter] ?? 0
    return length - (sizes[letter] ?? 0)
  })
  return { name: name.replace(sizeOrMode, ''), operands, offsets, length }
}
