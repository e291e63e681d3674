import type { MemberRef, Value } from './value.ts'

/** A register by its number, or the top of the stack of operands. */
export type Place = number | 'stack'

export type Condition = '==' | '!=' | '<' | '>=' | '>' | '<='

export type Binary = '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<<' | '>>' | '>>>'

/** `int` and `long` change nothing but the size. */
export type Unary = 'negate' | 'not' | 'byte' | 'char' | 'short' | 'int' | 'long' | 'unknown'

/** How a copy of the top of the stack is put below it, by what the JVM calls it. */
export type Shuffle = 'pop' | 'pop2' | 'dup' | 'dup_x1' | 'dup_x2' | 'dup2' | 'dup2_x1' | 'dup2_x2' | 'swap'

/**
 * One instruction of a stack machine or a register machine. Steps read their places from the last to the first, so that
 * the last argument is popped first. Targets are indices of steps.
 */
export type Action =
  | { readonly kind: 'constant'; readonly to: Place; readonly value: Value }
  | { readonly kind: 'move'; readonly from: Place; readonly to: Place }
  | { readonly kind: 'shuffle'; readonly how: Shuffle }
  | {
      readonly kind: 'binary'
      readonly operator: Binary
      readonly left: Place | { readonly literal: number }
      readonly right: Place | { readonly literal: number }
      readonly to: Place
      readonly isLong: boolean
    }
  | { readonly kind: 'unary'; readonly operator: Unary; readonly from: Place; readonly to: Place }
  | { readonly kind: 'compare'; readonly left: Place; readonly right: Place; readonly to: Place }
  | { readonly kind: 'new'; readonly type: string; readonly to: Place }
  | { readonly kind: 'is of'; readonly type: string; readonly from: Place; readonly to: Place }
  | { readonly kind: 'new array'; readonly element: string; readonly size: Place; readonly to: Place }
  | {
      readonly kind: 'array of'
      readonly element: string
      readonly items: readonly Place[]
      readonly to: Place
    }
  | { readonly kind: 'fill'; readonly array: Place; readonly values: readonly number[] }
  | { readonly kind: 'length'; readonly array: Place; readonly to: Place }
  | {
      readonly kind: 'load'
      readonly array: Place
      readonly index: Place
      readonly to: Place
      readonly isWide: boolean
    }
  | { readonly kind: 'store'; readonly array: Place; readonly index: Place; readonly value: Place }
  | {
      readonly kind: 'get field'
      readonly field: MemberRef
      readonly of: Place | null
      readonly to: Place
    }
  | {
      readonly kind: 'put field'
      readonly field: MemberRef
      readonly of: Place | null
      readonly value: Place
    }
  | {
      readonly kind: 'invoke'
      readonly method: MemberRef
      readonly args: readonly Place[]
      readonly isVirtual: boolean
      readonly to: Place | null
    }
  | {
      readonly kind: 'concatenate'
      /** `\u0001` stands for the next argument. */
      readonly recipe: string
      readonly types: readonly string[]
      readonly args: readonly Place[]
      readonly to: Place
    }
  /** Makes an object with one method, which calls another one behind the values that it is made of. */
  | {
      readonly kind: 'lambda'
      readonly method: MemberRef
      readonly args: readonly Place[]
      readonly to: Place
    }
  | {
      readonly kind: 'branch'
      readonly condition: Condition
      readonly left: Place
      /** A number that it is compared with, or `null` where it is compared with null. */
      readonly right: Place | { readonly literal: number | null }
      readonly target: number
    }
  | { readonly kind: 'jump'; readonly target: number }
  | {
      readonly kind: 'switch'
      readonly value: Place
      readonly cases: ReadonlyMap<number, number>
      readonly otherwise: number
    }
  | { readonly kind: 'return'; readonly from: Place | null }
  | { readonly kind: 'throw' }
  /** Anything whose result is not followed. */
  | {
      readonly kind: 'other'
      readonly from: readonly Place[]
      readonly to: Place | null
      readonly type: string
    }

export type Step = Action & {
  /** Where in the file the instruction is. */
  readonly at: number
}

export interface Method extends MemberRef {
  readonly isStatic: boolean
  /** Where its arguments are when it begins. */
  readonly argumentsAt: number
  /** Decoded when it is run for the first time. */
  steps(): readonly Step[]
}

export function createMethod(
  { owner, name, descriptor, isStatic }: MemberRef & Pick<Method, 'isStatic'>,
  argumentsAt: number,
  decode: () => readonly Step[],
): Method {
  let steps: readonly Step[] | undefined
  return {
    owner,
    name,
    descriptor,
    isStatic,
    argumentsAt,
    steps() {
      steps ??= decode()
      return steps
    },
  }
}

/** An action whose targets are still offsets in the file. */
export type Decoded = Action & { readonly at: number }

/** Makes the targets of decoded actions indices of steps. A target that is no instruction is the end of the method. */
export function resolveTargets(decoded: readonly Decoded[]): Step[] {
  const indices = new Map(decoded.map(({ at }, index) => [at, index]))
  const indexOf = (offset: number) => indices.get(offset) ?? decoded.length
  return decoded.map((step): Step => {
    if (step.kind === 'branch' || step.kind === 'jump') return { ...step, target: indexOf(step.target) }
    if (step.kind !== 'switch') return step
    const cases = new Map([...step.cases].map(([value, target]) => [value, indexOf(target)]))
    return { ...step, cases, otherwise: indexOf(step.otherwise) }
  })
}
