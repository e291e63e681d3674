import type { Effort } from '../../model/effort.ts'
import type { HermesCode } from './code.ts'
import { createMachine, type Machine } from './create-machine.ts'
import type { Made } from './machine.ts'
import {
  type Closure,
  closureOf,
  createThing,
  isClosure,
  isList,
  isThing,
  native,
  type Thing,
  type Value,
} from './values.ts'
import type { Survey } from './worth.ts'

/** A module of Metro: what makes it, and the numbers of those that it may ask for. */
interface Module {
  readonly factory: Closure
  readonly dependencies: Value
  exports: Thing | null
}

const requires = ['__twotokenRequire', '__twotokenDefault', '__twotokenAll'] as const
/** Instructions after which a function is taken to depend on values that are known only at run time. */
const [stepsOfWorth, stepsOfNear] = [30_000, 6_000]
/** A module that is asked for, and has nothing of worth in it, is run where it is small. */
const largestAsked = 3000
/** Modules that a module of worth asks for may list all that a library has. */
const largestNamed = 40_000
const mostAsked = 400
const deepestAsked = 6

interface Exploration {
  readonly code: HermesCode
  readonly survey: Survey
  readonly machine: Machine
  readonly modules: Map<number, Module>
  /** The numbers of modules by the functions that make them. */
  readonly moduleOf: Map<number, number>
  readonly instances: Map<Closure, Value>
  readonly near: Set<number>
  readonly wanted: Set<number>
  asked: number
  depth: number
  /** True while a function runs that another way than the first made. */
  isOther: boolean
}

interface Waiting {
  readonly closure: Closure
  readonly isOther: boolean
}

/**
 * Runs the functions that are worth it, each with the variables that the functions around it give it, and gives the texts
 * that they make.
 */
export function explore(
  code: HermesCode,
  survey: Survey,
  effort: Effort,
  isWanted: (text: string) => boolean,
): readonly Made[] {
  const made: Made[] = []
  const seen = new Set<number>()
  const waiting: Waiting[] = []
  const exploration: Exploration = {
    code,
    survey,
    machine: createMachine(code, effort, {
      onText(one) {
        if (isWanted(one.text)) made.push(one)
      },
      onClosure(closure, way) {
        // Variables around it may differ once where a condition is not known.
        const isOther = way > 0 || exploration.isOther
        const own = closure.index + (isOther ? code.functions.length : 0)
        if (!exploration.wanted.has(closure.index) || seen.has(own)) return
        seen.add(own)
        waiting.push({ closure, isOther })
      },
      isOwn: ({ index }) => exploration.wanted.has(index),
      answered: new Set(['__d', ...requires]),
      answer: (name, args) => answer(exploration, name, args),
    }),
    modules: new Map(),
    moduleOf: new Map(),
    instances: new Map(),
    near: new Set(survey.near),
    wanted: withAround(survey),
    asked: 0,
    depth: 0,
    isOther: false,
  }
  const { machine, modules, moduleOf, near, wanted } = exploration
  const global = code.bytes.readUInt32LE(36)
  seen.add(global)
  machine.begin(closureOf(global))
  if (survey.worth.has(global)) machine.explore(closureOf(global), undefined, stepsOfWorth)
  for (const module of importersOf(survey, modules, moduleOf)) {
    const { index } = module.factory
    for (const one of [index, ...survey.inside(index)]) {
      near.add(one)
      wanted.add(one)
    }
    if (seen.has(index)) continue
    seen.add(index)
    waiting.push({ closure: module.factory, isOther: false })
  }
  // The last first: it may call those before it, which give other values from one call to the next.
  const runAll = () => {
    for (let known = 0; waiting.length > 0; ) {
      if (waiting.length > known)
        waiting.push(...waiting.splice(known).sort((a, b) => b.closure.index - a.closure.index))
      const one = waiting.pop() as Waiting
      known = waiting.length
      runWaiting(exploration, one)
    }
  }
  runAll()
  for (const index of [...survey.worth].filter((one) => !seen.has(one))) {
    seen.add(index)
    runClosure(exploration, closureOf(index))
    runAll()
  }
  return made
}

/** `import()` asks the function that asks for a module. */
const importing = /\.importAll$/

/** Answers the functions by which Metro defines its modules, and asks for them. */
function answer(
  exploration: Exploration,
  name: string,
  [first, second, third]: readonly Value[],
): { readonly value: Value } | null {
  if (name === '__d') {
    if (isClosure(first) && typeof second === 'number') {
      exploration.modules.set(second, { factory: first, dependencies: third, exports: null })
      exploration.moduleOf.set(first.index, second)
    }
    return { value: undefined }
  }
  const kind = requires.indexOf(name.replace(importing, '') as (typeof requires)[number])
  if (kind === -1) return null
  return { value: typeof first === 'number' ? required(exploration, first, kind) : undefined }
}

function runWaiting(exploration: Exploration, { closure, isOther }: Waiting): void {
  exploration.isOther = isOther
  runClosure(exploration, closure)
  exploration.isOther = false
}

function runClosure(exploration: Exploration, closure: Closure): void {
  const { machine, moduleOf, survey, near } = exploration
  const module = moduleOf.get(closure.index)
  if (module !== undefined) {
    exportsOf(exploration, module)
    const known = exploration.modules.get(module)
    // A condition in it may not be known, as on the environment.
    if (known !== undefined && survey.worth.has(closure.index))
      machine.explore(closure, undefined, stepsOfWorth, argumentsOf(known, createThing()))
  } else if (survey.worth.has(closure.index))
    machine.explore(closure, selfOf(exploration, closure), stepsOfWorth)
  else if (near.has(closure.index)) machine.explore(closure, selfOf(exploration, closure), stepsOfNear)
  else machine.call(closure, selfOf(exploration, closure), null)
}

function exportsOf({ machine, modules }: Exploration, id: number): Value {
  const module = modules.get(id)
  if (module === undefined) return undefined
  if (module.exports !== null) return module.exports.fields.get('exports')
  const own = createThing()
  module.exports = own
  machine.call(module.factory, undefined, argumentsOf(module, own))
  return own.fields.get('exports')
}

/** Makes what a module is given: the global object, the functions that ask for others, itself and what it exports. */
function argumentsOf({ dependencies }: Module, own: Thing): Value[] {
  const exports = createThing()
  own.fields.set('exports', exports)
  const all = requires.map((name) => native(name))
  return [native(''), ...all, own, exports, isList(dependencies) ? dependencies : undefined]
}

function required(exploration: Exploration, id: number, kind: number): Value {
  const module = exploration.modules.get(id)
  if (module === undefined || exploration.depth >= deepestAsked) return undefined
  if (module.exports === null && !exploration.wanted.has(module.factory.index)) {
    const one = exploration.code.functions[module.factory.index]
    const largest = exploration.depth === 0 ? largestNamed : largestAsked
    const isLarge = one === null || one === undefined || one.end - one.start > largest
    if (isLarge || exploration.asked >= mostAsked) return undefined
    exploration.asked += 1
  }
  exploration.depth += 1
  try {
    const exports = exportsOf(exploration, id)
    const isModule = isThing(exports) && exports.fields.get('__esModule') === true
    return kind === 1 && isModule ? exports.fields.get('default') : exports
  } finally {
    exploration.depth -= 1
  }
}

/** A method is called on an object of its class, as far as its constructor says what that has. */
function selfOf({ machine, instances }: Exploration, { home }: Closure): Value {
  if (home === null || home.kind === 'closure') return home ?? undefined
  const maker = home.fields.get('constructor')
  if (!isClosure(maker)) return home
  if (!instances.has(maker)) {
    instances.set(maker, undefined)
    const made = machine.construct(maker)
    instances.set(maker, made)
    // A component of React has its defaults where nothing else is given.
    const defaults = maker.fields.get('defaultProps')
    if (isThing(made) && isThing(defaults)) made.fields.set('props', defaults)
  }
  return instances.get(maker)
}

/** The functions of worth with all around them, which make what they see. */
function withAround({ worth, near, parents }: Survey): Set<number> {
  const all = new Set<number>()
  for (const one of [...worth, ...near])
    for (let at: number | undefined = one; at !== undefined && !all.has(at); at = parents.get(at)) all.add(at)
  return all
}

/** A module that more others ask for than this is a part of everything. */
const mostImporters = 50

/** Finds the modules that ask for one with a piece of a key, or for one that asks for it. */
function importersOf(
  { pieces, parents }: Survey,
  modules: ReadonlyMap<number, Module>,
  moduleOf: ReadonlyMap<number, number>,
): readonly Module[] {
  const importers = new Map<number, Module[]>()
  for (const module of modules.values())
    if (isList(module.dependencies))
      for (const id of module.dependencies)
        if (typeof id === 'number') {
          const known = importers.get(id)
          if (known === undefined) importers.set(id, [module])
          else known.push(module)
        }
  const found = new Set<Module>()
  const ids = new Set<number>()
  // In a damaged file functions may contain each other.
  const passed = new Set<number>()
  for (const one of pieces)
    for (let at: number | undefined = one; at !== undefined && !passed.has(at); at = parents.get(at)) {
      passed.add(at)
      const id = moduleOf.get(at)
      if (id !== undefined) ids.add(id)
    }
  for (const id of ids) {
    const direct = importers.get(id) ?? []
    const all = [
      ...direct,
      ...direct.flatMap(({ factory }) => importers.get(moduleOf.get(factory.index) ?? -1) ?? []),
    ]
    if (all.length <= mostImporters) for (const module of all) found.add(module)
    else if (direct.length <= mostImporters) for (const module of direct) found.add(module)
  }
  return [...found]
}
