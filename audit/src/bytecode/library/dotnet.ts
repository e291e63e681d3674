import { textOf } from '../text.ts'
import { createInstance, delegateOf, type Instance, isArray, isInstance, type Value } from '../value.ts'
import type { Call, Reading } from './call.ts'
import {
  ofArray,
  ofCopy,
  ofEnumerable,
  ofList,
  ofMemoryStream,
  ofTuple,
  pairType,
} from './dotnet-collections.ts'
import {
  ofCharacterType,
  ofConvert,
  ofEncoding,
  ofInterpolated,
  ofRegex,
  ofText,
  ofTextBuilder,
  ofUrl,
  writtenAs,
} from './dotnet-texts.ts'

function ofDelegate({ name, args, host }: Call): Value {
  const [self, target, method] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.fields.set(delegateOf.target, target)
    self.fields.set(delegateOf.method, method)
    return undefined
  }
  return name === 'Invoke' ? host.call(self, name, args.slice(1)) : undefined
}

function ofNumberType({ name, args }: Call): Value {
  const [first, second] = args
  if (name === 'ToString')
    return typeof first !== 'number'
      ? undefined
      : typeof second === 'string'
        ? writtenAs(first, `:${second}`)
        : String(first)
  return name === 'Parse' && typeof first === 'string' ? Number.parseInt(first, 10) | 0 : undefined
}

/** The address of an item of an array. That of a variable is the variable's value, as far as it is read. */
function ofAddress({ name, args, descriptor }: Call): Value {
  const [first, second] = args
  if (name === 'structure') return isInstance(first) ? first : createInstance('System/ValueType')
  if (name === 'of') {
    const address = createInstance('System/Address')
    address.items = [first, second]
    return address
  }
  const [array, index] = isInstance(first) && first.type === 'System/Address' ? (first.items ?? []) : []
  if (array === undefined) return name === 'get' ? first : undefined
  if (!isArray(array) || typeof index !== 'number' || index < 0 || index >= array.items.length)
    return undefined
  if (name === 'set') {
    array.items[index] = second
    return undefined
  }
  const item = array.items[index]
  return descriptor.endsWith('B') && typeof item === 'number' ? item & 0xff : item
}

/** A value that is made when it is asked for. */
function ofLazyType({ name, args, host }: Call): Value {
  const [self, make] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') self.fields.set(delegateOf.target, make)
  return name === 'get_Value' ? host.call(self.fields.get(delegateOf.target), 'Invoke', []) : undefined
}

const readings: Readonly<Record<string, Reading>> = {
  'System/String': ofText,
  'System/Address': ofAddress,
  'System/Lazy`1': ofLazyType,
  'System/Text/StringBuilder': ofTextBuilder,
  'System/Text/Encoding': ofEncoding,
  'System/Text/UTF8Encoding': ofEncoding,
  'System/Convert': ofConvert,
  'System/Array': ofArray,
  'System/Buffer': ofCopy,
  'System/IO/MemoryStream': ofMemoryStream,
  'System/IO/Stream': ofMemoryStream,
  'System/Text/RegularExpressions/Regex': ofRegex,
  'System/Uri': ofUrl,
  'System/Net/WebUtility': ofUrl,
  'System/Tuple': ofTuple,
  [pairType]: ofTuple,
  'System/Char': ofCharacterType,
  'System/Int32': ofNumberType,
  'System/Byte': ofNumberType,
  'System/Linq/Enumerable': ofEnumerable,
  'System/Runtime/CompilerServices/DefaultInterpolatedStringHandler': ofInterpolated,
}

/** Gives the reading of a class of .NET. A text is also what `Object` says that it is. */
export function dotnetReadingOf(owner: string): Reading | undefined {
  const known = readings[owner]
  if (known !== undefined) return known
  if (/^System\/(?:Func|Action|Converter|Predicate|MulticastDelegate)/.test(owner)) return ofDelegate
  if (/^System\/(?:Value)?Tuple`/.test(owner)) return ofTuple
  if (/^System\/Collections\//.test(owner)) return ofList
  return owner === 'System/Object' ? ofObjectType : undefined
}

function ofObjectType({ name, args }: Call): Value {
  const [first] = args
  return name === 'ToString' ? textOf((first as Instance | string | undefined) ?? undefined) : undefined
}
