import { aClosure, argumentsOf, builtIn, call, constructedWith, driven } from '../calls.ts'
import { resumptions, run } from '../execute.ts'
import type { Steps } from '../machine.ts'
import { prototypeOf } from '../members.ts'
import { iterated } from '../platform.ts'
import { absent, createThing, isClosure, isCursor, isEnvironment, isThing, native } from '../values.ts'

/** Steps that make functions and classes, call them, and go on in generators. */
export const callSteps: Steps = {
  'CreateClosure CreateGeneratorClosure CreateAsyncClosure': ({ machine, number, value, write }) =>
    write(aClosure(machine, number(2), value(1), false)),
  CreateGenerator: ({ machine, number, value, write }) => {
    const generator = aClosure(machine, number(2), value(1), true)
    return write(
      machine.code.version >= 98
        ? driven(machine, { ...generator, isGenerator: false })
        : run(machine, generator, machine.state.frame.self, machine.state.frame.args),
    )
  },
  'CreateBaseClass CreateDerivedClass': ({ machine, last, number, value, write }) => {
    // Versions differ in which comes first of the class above and the variables around.
    const first = value(2)
    const second = value(last - 1)
    const made = aClosure(machine, number(last), isEnvironment(first) ? first : second, false)
    const base = isClosure(first) ? first : second
    if (isClosure(base)) made.base = base
    const home = createThing(isClosure(base) ? prototypeOf(base) : null)
    home.fields.set('constructor', made)
    made.fields.set('prototype', home)
    machine.state.registers[number(1)] = home
    return write(made)
  },
  'CreateThis CreateThisForNew CreateThisForSuper': ({ name, value, write }) => {
    const target = value(name === 'CreateThisForNew' ? 1 : 2)
    return write(isClosure(target) ? createThing(prototypeOf(target)) : undefined)
  },
  GetNewTarget: ({ machine, write }) => {
    const { self } = machine.state.frame
    const proto = isThing(self) ? self.prototype : undefined
    return write(isThing(proto) ? proto.fields.get('constructor') : undefined)
  },
  'Call1 Call2 Call3 Call4': ({ machine, operands, value, make }) => {
    const [own, ...given] = Array.from({ length: operands.length - 2 }, (_, index) => value(index + 2))
    return make(call(machine, value(1), own, given))
  },
  CallRequire: ({ machine, number, value, write }) => write(call(machine, value(1), absent, [number(2)])),
  CallDirect: ({ machine, number, make }) => {
    const [own, ...given] = argumentsOf(machine, number(1))
    return make(
      call(
        machine,
        aClosure(machine, number(2), machine.state.frame.closure.environment ?? undefined, false),
        own,
        given,
      ),
    )
  },
  'Call Construct CallWithNewTarget': ({ machine, name, number, value, write, make }) => {
    const count = name === 'CallWithNewTarget' ? number(3) : number(2)
    const [own, ...given] = argumentsOf(machine, count)
    if (name === 'Construct') return write(constructedWith(machine, value(1), own, given))
    return make(call(machine, value(1), own, given))
  },
  CallBuiltin: ({ machine, number, make }) => {
    const [, ...given] = argumentsOf(machine, number(2))
    return make(builtIn(machine, machine.code.builtins.get(number(1)), given, machine.state.frame))
  },
  GetBuiltinClosure: ({ machine, number, write }) =>
    write(native(`HermesBuiltin.${machine.code.builtins.get(number(1)) ?? ''}`)),
  IteratorBegin: ({ machine, value, write }) => {
    const items = iterated(value(1), machine.host)
    return write(items === undefined ? undefined : { kind: 'cursor', items, at: 0 })
  },
  IteratorNext: ({ machine, number, value, write }) => {
    const cursor = value(1)
    if (!isCursor(cursor)) return write(undefined)
    if (cursor.at < cursor.items.length) return write(cursor.items[cursor.at++])
    machine.state.registers[number(1)] = absent
    return write(absent)
  },
  ResumeGenerator: ({ machine, number, write }) => {
    machine.state.registers[number(1)] = false
    return write(machine.state.frame.given?.at(-1) ?? absent)
  },
  SaveGenerator: ({ machine, number }) => {
    resumptions.set(machine.state.frame, machine.state.at + number(0))
  },
}
