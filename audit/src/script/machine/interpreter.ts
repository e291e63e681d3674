import { type Effort, pay } from '../../model/effort.ts'
import { concatenated } from '../operators.ts'
import { type Node, nodeAt, nodesAt } from '../scope.ts'
import { charactersInStep, makeList } from '../value.ts'
import { Environment, functionAround } from './environment.ts'
import type { Library, Machine } from './machine.ts'
import { accessorOf, iterate, memberOf, setExtra, setMember, textOf } from './members.ts'
import { binary, looselyEqual, numberOf } from './operators.ts'
import { isDefinition, leaves, nameOf, namesIn } from './syntax.ts'
import {
  addAccessor,
  isBytes,
  isThing,
  iteratorOf,
  prototypeOf,
  Thing,
  truthOf,
  unknown,
  type Value,
} from './values.ts'

/** Something that a script throws itself. */
class Thrown {
  readonly value: Value
  constructor(value: Value) {
    this.value = value
  }
}

/** A generator whose values are never all taken. */
class EnoughYielded {
  readonly frame: Frame
  constructor(frame: Frame) {
    this.frame = frame
  }
}

/** How a statement ended. */
type Ending =
  | { readonly kind: 'break' | 'continue'; readonly label: string | null }
  | { readonly kind: 'return'; readonly value: Value }
  | null

interface Frame {
  readonly self: Value
  readonly args: readonly Value[]
  /** Class or object whose method runs, for `super`. */
  readonly home: Thing | null
  readonly made: Thing | undefined
  readonly yielded: Value[] | null
}

interface Place {
  readonly environment: Environment
  readonly frame: Frame
}

export interface Watched {
  /** Called with each text that the script makes. */
  readonly made: (text: string, node: Node) => void
  /** Says whether a part of the script handles a piece of what is looked for. */
  readonly isOfInterest: (node: Node) => boolean
  /** Gives the tree of a script in a text; `null` where it is none. */
  readonly parse: (text: string) => Node | null
}

/** How a script is run. */
export interface Way {
  /** Takes a condition that is not known as false. */
  readonly isOther: boolean
  /** Bodies that are longer are not run whole. */
  readonly longBody: number
}

const stepsOfNode = 3
const stepsOfCall = 20
/** With the map of its properties, or of the names of a call. */
const bytesOfThing = 96
const bytesOfCall = 8
const deepestCall = 120
const mostYielded = 512
const mostPasses = 20_000
/** Objects that inherit from each other. */
const mostInherited = 32
/** Places around another one, which a name is looked for in. */
const placesInStep = 8

const nobody: Frame = { self: unknown, args: [], home: null, made: undefined, yielded: null }

/**
 * Runs a script on what is known. What is not known stays so, and a condition that is not known is taken as true, or as
 * false in the other way. Of long bodies only the statements run that handle pieces, and what these read.
 */
export class Interpreter implements Machine {
  readonly effort: Effort
  readonly #watched: Watched
  readonly #isOther: boolean
  readonly #longBody: number
  readonly #library: Library
  /** Functions that hold something of interest, with the places where they were made. */
  readonly #closures = new Map<Node, { readonly closure: Thing; readonly home: Thing | null }>()
  readonly #entered = new Set<Node>()
  #depth = 0
  /** True where a condition was not known. */
  hasChosen = false

  constructor(
    effort: Effort,
    watched: Watched,
    { isOther, longBody }: Way,
    library: (machine: Machine) => Library,
  ) {
    this.effort = effort
    this.#watched = watched
    this.#isOther = isOther
    this.#longBody = longBody
    this.#library = library(this)
  }

  /** Runs the script, and then each function of interest that nothing has called. */
  runScript(tree: Node): void {
    const environment = new Environment(null, true)
    this.#guarded(() => this.#runBody(tree, { environment, frame: { ...nobody, self: undefined } }))
    for (let before = -1; before !== this.#entered.size; ) {
      before = this.#entered.size
      pay(this.effort, this.#closures.size)
      for (const [node, { closure, home }] of [...this.#closures])
        if (!this.#entered.has(node)) this.#guarded(() => this.call(closure, this.#ownerOf(home), []))
    }
  }

  readonly #owners = new Map<Thing, Value>()

  /** Makes the `this` of a method that nothing calls. */
  #ownerOf(home: Thing | null): Value {
    const made = home?.fields.get('constructor')
    if (home === null || !isThing(made as Value)) return home ?? unknown
    const known = this.#owners.get(home)
    if (known !== undefined) return known
    const owner = this.construct(made as Value, [])
    this.#owners.set(home, owner)
    return owner
  }

  #guarded(run: () => void): void {
    try {
      run()
    } catch (error) {
      if (!(error instanceof Thrown) && !(error instanceof EnoughYielded) && !(error instanceof RangeError))
        throw error
    }
  }

  // Values.

  textOf(value: Value): string {
    return textOf(value, this)
  }

  iterate(value: Value): readonly Value[] | null {
    return iterate(value, this)
  }

  member(object: Value, name: string): Value {
    return memberOf(object, name, this, this.#library)
  }

  setMember(object: Value, name: string, value: Value): void {
    setMember(object, name, value, this)
  }

  call(callee: Value, self: Value, args: readonly Value[]): Value {
    if (!isThing(callee) || callee.call === null) return unknown
    pay(this.effort, stepsOfCall + args.length, bytesOfCall)
    if (this.#depth >= deepestCall) return unknown
    this.#depth += 1
    try {
      return callee.call(self, args)
    } finally {
      this.#depth -= 1
    }
  }

  construct(callee: Value, args: readonly Value[]): Value {
    if (!isThing(callee) || callee.call === null) return unknown
    pay(this.effort, stepsOfCall + args.length, bytesOfThing)
    if (this.#depth >= deepestCall) return unknown
    this.#depth += 1
    try {
      const made = new Thing(prototypeOf(callee))
      const result = callee.call(made, args, made)
      return result === undefined || result === null || typeof result !== 'object' ? made : result
    } finally {
      this.#depth -= 1
    }
  }

  evaluate(text: string): Value {
    pay(this.effort, 6 * text.length)
    const tree = this.#watched.parse(text)
    if (tree === null) return unknown
    const place = this.#evaluating ?? { environment: new Environment(null, true), frame: nobody }
    const environment = new Environment(place.environment, false)
    let last: Value
    const statements = nodesAt(tree, 'body')
    this.#hoist(statements, { ...place, environment })
    for (const statement of statements) {
      if (statement?.type === 'ExpressionStatement')
        last = this.#value(nodeAt(statement, 'expression'), { ...place, environment })
      else if (statement !== null) {
        const ending = this.#run(statement, { ...place, environment })
        if (ending?.kind === 'return') return ending.value
      }
    }
    return last
  }

  /** Where the call of `eval` is that runs now. */
  #evaluating: Place | null = null

  // Functions and classes.

  #closure(node: Node, { environment, frame }: Place, home: Thing | null = null): Thing {
    pay(this.effort, stepsOfNode, bytesOfThing)
    const made = new Thing()
    const isArrow = node.type === 'ArrowFunctionExpression'
    made.call = (self, args, target) => {
      this.#entered.add(node)
      const own = new Environment(environment, true)
      const isGenerator = node['generator'] === true
      const inside: Frame = isArrow
        ? { ...frame, yielded: null }
        : { self, args, home, made: target, yielded: isGenerator ? [] : null }
      const place: Place = { environment: own, frame: inside }
      const name = node.type === 'FunctionExpression' ? nodeAt(node, 'id') : undefined
      if (name !== undefined) own.declare(String(name['name']), made)
      for (const [index, parameter] of nodesAt(node, 'params').entries()) {
        if (parameter === null) continue
        if (parameter.type === 'RestElement')
          this.#bind(nodeAt(parameter, 'argument'), args.slice(index), place, 'declare')
        else this.#bind(parameter, index < args.length ? args[index] : absent(args), place, 'declare')
      }
      const body = nodeAt(node, 'body')
      if (body === undefined) return unknown
      if (body.type !== 'BlockStatement') return this.#value(body, place)
      if (inside.yielded === null || isArrow) return this.#runBody(body, place)
      try {
        this.#runBody(body, place)
      } catch (error) {
        if (!(error instanceof EnoughYielded) || error.frame !== inside) throw error
      }
      return iteratorOf(inside.yielded)
    }
    made.isArrow = isArrow
    if (this.#watched.isOfInterest(node) && !this.#closures.has(node))
      this.#closures.set(node, { closure: made, home: isArrow ? null : home })
    return made
  }

  #class(node: Node, place: Place): Thing {
    const superClass = nodeAt(node, 'superClass')
    const above = superClass === undefined ? null : this.#value(superClass, place)
    const parent = isThing(above as Value) ? (above as Thing) : null
    const proto = new Thing(parent === null ? null : prototypeOf(parent))
    const made = new Thing(parent)
    made.isClass = true
    made.fields.set('prototype', proto)
    proto.fields.set('constructor', made)
    const environment = new Environment(place.environment, false)
    const id = nodeAt(node, 'id')
    if (id !== undefined) environment.declare(String(id['name']), made)
    const inside: Place = { environment, frame: { ...place.frame, self: made, home: made } }
    const body = nodeAt(node, 'body')
    const members = body === undefined ? [] : nodesAt(body, 'body').filter((member) => member !== null)
    let own: Thing | null = null
    const fields: Node[] = []
    for (const member of members) {
      const isStatic = member['static'] === true
      const holder = isStatic ? made : proto
      const value = nodeAt(member, 'value')
      if (member.type === 'PropertyDefinition' && !isStatic) fields.push(member)
      if (member.type !== 'MethodDefinition' || value === undefined) continue
      const method = this.#closure(value, inside, holder)
      const name = this.#keyOf(member, inside)
      if (member['kind'] === 'constructor') own = method
      else if (name === null) continue
      else if (member['kind'] === 'get' || member['kind'] === 'set')
        addAccessor(holder, name, { [String(member['kind'])]: method })
      else holder.fields.set(name, method)
    }
    const initialize = (self: Value) => {
      if (!isThing(self)) return
      for (const field of fields) {
        const name = this.#keyOf(field, inside)
        const frame = { ...inside.frame, self, home: proto }
        if (name !== null) self.fields.set(name, this.#value(nodeAt(field, 'value'), { environment, frame }))
      }
    }
    made.call = (self, args, target) => {
      if (target === undefined) return unknown
      if (own === null || own.call === null) {
        if (parent?.call != null) parent.call(self, args, target)
        initialize(self)
        return self
      }
      // A class above is initialized by `super`, and the class itself after it.
      if (parent === null) initialize(self)
      else initializers.set(target, [...(initializers.get(target) ?? []), initialize])
      const result = own.call(self, args, target)
      return isThing(result) ? result : self
    }
    for (const member of members) {
      if (member.type === 'StaticBlock')
        this.#runAll(nodesAt(member, 'body'), { ...inside, environment: new Environment(environment, true) })
      else if (member.type === 'PropertyDefinition' && member['static'] === true) {
        const name = this.#keyOf(member, inside)
        if (name !== null) made.fields.set(name, this.#value(nodeAt(member, 'value'), inside))
      }
    }
    return made
  }

  /** The name of a property; a private one is none that a property can have. */
  #keyOf(member: Node, place: Place): string | null {
    const key = nodeAt(member, 'key')
    if (key === undefined) return null
    if (member['computed'] === true) {
      const name = this.#value(key, place)
      return name === unknown ? null : this.textOf(name)
    }
    return nameOf(key)
  }

  // Statements.

  /** Runs a function's body, or a script. */
  #runBody(body: Node, place: Place): Value {
    const statements = nodesAt(body, 'body')
    this.#hoist(statements, place)
    const isLong = body.end - body.start > this.#longBody
    for (const statement of statements) {
      if (statement === null) continue
      const ending = isLong ? this.#runWhereOfInterest(statement, place) : this.#run(statement, place)
      if (ending?.kind === 'return') return ending.value
    }
    return undefined
  }

  /** Names of functions and of `var` are known before what declares them. */
  #hoist(statements: readonly (Node | null)[], place: Place): void {
    pay(this.effort, statements.length)
    for (const wrapped of statements) {
      if (wrapped === null) continue
      const statement = /^Export(?:Named|Default)/.test(wrapped.type)
        ? nodeAt(wrapped, 'declaration')
        : wrapped
      if (statement?.type !== 'FunctionDeclaration') continue
      const id = nodeAt(statement, 'id')
      if (id === undefined) continue
      const name = String(id['name'])
      place.environment.declareLater(name, () =>
        place.environment.declare(name, this.#closure(statement, place)),
      )
      // Closures that nothing calls are run by themselves.
      if (this.#watched.isOfInterest(statement)) place.environment.read(name)
    }
  }

  /** Runs a statement of a long body where it matters; else its names get their values when they are read. */
  #runWhereOfInterest(wrapped: Node, place: Place): Ending {
    pay(this.effort, stepsOfNode)
    const isExport = /^Export(?:Named|Default)/.test(wrapped.type)
    const statement = isExport ? nodeAt(wrapped, 'declaration') : wrapped
    if (statement === undefined) return null
    switch (statement.type) {
      case 'VariableDeclaration': {
        const kind = String(statement['kind'])
        for (const declarator of nodesAt(statement, 'declarations'))
          if (declarator !== null) this.#declareWhereOfInterest(declarator, kind, place)
        return null
      }
      case 'ClassDeclaration': {
        const id = nodeAt(statement, 'id')
        const name = String(id?.['name'] ?? '')
        place.environment.declareLater(name, () =>
          place.environment.declare(name, this.#class(statement, place)),
        )
        if (this.#watched.isOfInterest(statement)) place.environment.read(name)
        return null
      }
      case 'ExpressionStatement': {
        const expression = nodeAt(statement, 'expression')
        const parts =
          expression?.type === 'SequenceExpression' ? nodesAt(expression, 'expressions') : [expression]
        for (const part of parts)
          if (part != null && (this.#watched.isOfInterest(part) || isDefinition(part)))
            this.#guarded(() => this.#value(part, place))
        return null
      }
      case 'ReturnStatement':
        return this.#run(statement, place)
      default: {
        if (!this.#watched.isOfInterest(statement)) return null
        let ending: Ending = null
        this.#guarded(() => {
          if (isExport && !/Declaration$|Statement$/.test(statement.type)) this.#value(statement, place)
          else ending = this.#run(statement, place)
        })
        return ending
      }
    }
  }

  #declareWhereOfInterest(declarator: Node, kind: string, place: Place): void {
    const id = nodeAt(declarator, 'id')
    const init = nodeAt(declarator, 'init')
    if (id === undefined) return
    if (this.#watched.isOfInterest(declarator)) {
      this.#guarded(() => this.#declare(declarator, kind, place))
      return
    }
    const target = kind === 'var' ? functionAround(place.environment) : place.environment
    for (const name of namesIn(id))
      if (init === undefined) {
        if (!target.has(name)) target.declare(name, undefined)
      } else target.declareLater(name, () => this.#guarded(() => this.#declare(declarator, kind, place)))
  }

  #declare(declarator: Node, kind: string, place: Place): void {
    const id = nodeAt(declarator, 'id')
    const init = nodeAt(declarator, 'init')
    if (init === undefined && kind === 'var') {
      const target = functionAround(place.environment)
      const name = String(id?.['name'] ?? '')
      if (!target.has(name)) target.declare(name, undefined)
      return
    }
    this.#bind(id, this.#value(init, place), place, kind === 'var' ? 'var' : 'declare')
  }

  #runAll(statements: readonly (Node | null)[], place: Place): Ending {
    this.#hoist(statements, place)
    for (const statement of statements) {
      const ending = statement === null ? null : this.#run(statement, place)
      if (ending !== null) return ending
    }
    return null
  }

  #run(statement: Node, place: Place): Ending {
    pay(this.effort, stepsOfNode)
    switch (statement.type) {
      case 'BlockStatement':
        return this.#runAll(nodesAt(statement, 'body'), {
          ...place,
          environment: new Environment(place.environment, false),
        })
      case 'ExpressionStatement':
        this.#value(nodeAt(statement, 'expression'), place)
        return null
      case 'VariableDeclaration':
        for (const declarator of nodesAt(statement, 'declarations'))
          if (declarator !== null) this.#declare(declarator, String(statement['kind']), place)
        return null
      case 'ClassDeclaration': {
        const id = nodeAt(statement, 'id')
        const made = this.#class(statement, place)
        if (id !== undefined) place.environment.declare(String(id['name']), made)
        return null
      }
      case 'FunctionDeclaration': {
        const id = nodeAt(statement, 'id')
        if (id !== undefined && !place.environment.has(String(id['name'])))
          place.environment.declare(String(id['name']), this.#closure(statement, place))
        return null
      }
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration': {
        const declaration = nodeAt(statement, 'declaration')
        if (declaration === undefined) return null
        if (/Declaration$/.test(declaration.type)) return this.#run(declaration, place)
        this.#value(declaration, place)
        return null
      }
      case 'ReturnStatement':
        return { kind: 'return', value: this.#value(nodeAt(statement, 'argument'), place) }
      case 'ThrowStatement':
        throw new Thrown(this.#value(nodeAt(statement, 'argument'), place))
      case 'IfStatement':
        return this.#choose(statement, place)
      case 'SwitchStatement':
        return this.#switch(statement, place)
      case 'TryStatement':
        return this.#try(statement, place)
      case 'LabeledStatement': {
        const label = String(nodeAt(statement, 'label')?.['name'] ?? '')
        const body = nodeAt(statement, 'body')
        const ending = body === undefined ? null : this.#labelled(body, label, place)
        return ending?.kind === 'break' && ending.label === label ? null : ending
      }
      case 'BreakStatement':
      case 'ContinueStatement': {
        const label = nodeAt(statement, 'label')
        return {
          kind: statement.type === 'BreakStatement' ? 'break' : 'continue',
          label: label === undefined ? null : String(label['name']),
        }
      }
      case 'ForStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForOfStatement':
      case 'ForInStatement':
        return this.#labelled(statement, null, place)
      default:
        return null
    }
  }

  #labelled(statement: Node, label: string | null, place: Place): Ending {
    if (/^(?:For|While|DoWhile)Statement$/.test(statement.type)) return this.#repeat(statement, label, place)
    if (/^For(?:Of|In)Statement$/.test(statement.type)) return this.#iterateOver(statement, label, place)
    return this.#run(statement, place)
  }

  /** Which way a condition goes; one that is not known goes the way that does not end what is running. */
  #decide(test: Node | undefined, place: Place, consequent?: Node, alternate?: Node): boolean {
    const known = truthOf(this.#value(test, place))
    if (known !== undefined) return known
    this.hasChosen = true
    if (consequent !== undefined && leaves(consequent)) return this.#isOther
    if (alternate !== undefined && leaves(alternate)) return !this.#isOther
    return !this.#isOther
  }

  #choose(statement: Node, place: Place): Ending {
    const [consequent, alternate] = [nodeAt(statement, 'consequent'), nodeAt(statement, 'alternate')]
    const chosen = this.#decide(nodeAt(statement, 'test'), place, consequent, alternate)
      ? consequent
      : alternate
    return chosen === undefined ? null : this.#run(chosen, place)
  }

  #switch(statement: Node, place: Place): Ending {
    const value = this.#value(nodeAt(statement, 'discriminant'), place)
    const cases = nodesAt(statement, 'cases').filter((one) => one !== null)
    const inside = { ...place, environment: new Environment(place.environment, false) }
    let first = value === unknown ? 0 : -1
    if (value !== unknown)
      first = cases.findIndex((one) => {
        const test = nodeAt(one, 'test')
        return test !== undefined && this.#value(test, inside) === value
      })
    if (first === -1) first = cases.findIndex((one) => nodeAt(one, 'test') === undefined)
    if (first === -1) return null
    if (value === unknown) this.hasChosen = true
    for (const one of cases.slice(first)) {
      const ending = this.#runAll(nodesAt(one, 'consequent'), inside)
      if (ending === null) continue
      return ending.kind === 'break' && ending.label === null ? null : ending
    }
    return null
  }

  #try(statement: Node, place: Place): Ending {
    const [block, handler, finalizer] = ['block', 'handler', 'finalizer'].map((field) =>
      nodeAt(statement, field),
    )
    let ending: Ending = null
    try {
      ending = block === undefined ? null : this.#run(block, place)
    } catch (error) {
      if (!(error instanceof Thrown)) throw error
      if (handler === undefined) {
        if (finalizer !== undefined) this.#run(finalizer, place)
        throw error
      }
      const inside = { ...place, environment: new Environment(place.environment, false) }
      const parameter = nodeAt(handler, 'param')
      if (parameter !== undefined) this.#bind(parameter, error.value, inside, 'declare')
      const body = nodeAt(handler, 'body')
      ending = body === undefined ? null : this.#run(body, inside)
    }
    const last = finalizer === undefined ? null : this.#run(finalizer, place)
    return last ?? ending
  }

  #repeat(loop: Node, label: string | null, outer: Place): Ending {
    let place: Place = { ...outer, environment: new Environment(outer.environment, false) }
    const init = nodeAt(loop, 'init')
    if (init?.type === 'VariableDeclaration') this.#run(init, place)
    else if (init !== undefined) this.#value(init, place)
    const isFreshEach = init?.type === 'VariableDeclaration' && init['kind'] === 'let'
    const [test, body, update] = ['test', 'body', 'update'].map((field) => nodeAt(loop, field))
    for (let pass = 0; pass < mostPasses; pass++) {
      pay(this.effort, stepsOfNode)
      let isUnknown = false
      if (test !== undefined && !(loop.type === 'DoWhileStatement' && pass === 0)) {
        const known = truthOf(this.#value(test, place))
        if (known === false) return null
        isUnknown = known === undefined
      }
      const ending = body === undefined ? null : this.#run(body, place)
      if (ending !== null) {
        if (ending.kind === 'return') return ending
        const isOwn = ending.label === null || ending.label === label
        if (!isOwn) return ending
        if (ending.kind === 'break') return null
      }
      // One pass shows what a loop does whose end is not known.
      if (isUnknown) return null
      if (isFreshEach) {
        const next = new Environment(place.environment.parent, false)
        const names = place.environment.names()
        pay(this.effort, stepsOfNode * names.length)
        for (const name of names) next.declare(name, place.environment.read(name)?.value)
        place = { ...place, environment: next }
      }
      if (update !== undefined) this.#value(update, place)
    }
    return null
  }

  #iterateOver(loop: Node, label: string | null, place: Place): Ending {
    const right = this.#value(nodeAt(loop, 'right'), place)
    const items = loop.type === 'ForInStatement' ? this.#keysOf(right) : this.iterate(right)
    const left = nodeAt(loop, 'left')
    const body = nodeAt(loop, 'body')
    for (const item of items ?? [unknown]) {
      pay(this.effort, stepsOfNode)
      const inside = { ...place, environment: new Environment(place.environment, false) }
      if (left?.type === 'VariableDeclaration') {
        const [declarator] = nodesAt(left, 'declarations')
        const id = declarator == null ? undefined : nodeAt(declarator, 'id')
        this.#bind(id, item, inside, left['kind'] === 'var' ? 'var' : 'declare')
      } else this.#bind(left, item, inside, 'write')
      const ending = body === undefined ? null : this.#run(body, inside)
      if (ending === null) continue
      if (ending.kind === 'return') return ending
      const isOwn = ending.label === null || ending.label === label
      if (!isOwn) return ending
      if (ending.kind === 'break') return null
    }
    return null
  }

  #keysOf(value: Value): Value[] | null {
    if (isThing(value)) {
      makeList(value.fields.size + value.accessors.size, this.effort)
      return [...value.fields.keys(), ...value.accessors.keys()]
    }
    if (Array.isArray(value) || typeof value === 'string' || isBytes(value)) {
      makeList(4 * value.length, this.effort)
      return Array.from({ length: value.length }, (_, at) => String(at))
    }
    return null
  }

  /** Gives the names of a pattern their values. */
  #bind(pattern: Node | undefined, value: Value, place: Place, how: 'declare' | 'var' | 'write'): void {
    if (pattern === undefined) return
    pay(this.effort, stepsOfNode)
    switch (pattern.type) {
      case 'Identifier': {
        const name = String(pattern['name'])
        if (how === 'declare') place.environment.declare(name, value)
        else if (how === 'var') functionAround(place.environment).declare(name, value)
        else if (!place.environment.write(name, value)) rootOf(place.environment).declare(name, value)
        return
      }
      case 'MemberExpression':
        this.#assignMember(pattern, value, place)
        return
      case 'AssignmentPattern':
        this.#bind(
          nodeAt(pattern, 'left'),
          value === undefined || value === unknown
            ? orUnknown(this.#value(nodeAt(pattern, 'right'), place))
            : value,
          place,
          how,
        )
        return
      case 'ArrayPattern': {
        const items = this.iterate(value)
        makeList(items?.length ?? 0, this.effort)
        for (const [index, element] of nodesAt(pattern, 'elements').entries()) {
          if (element === null) continue
          if (element.type === 'RestElement')
            this.#bind(nodeAt(element, 'argument'), items === null ? unknown : items.slice(index), place, how)
          else this.#bind(element, items === null ? unknown : items[index], place, how)
        }
        return
      }
      case 'ObjectPattern': {
        const taken = new Set<string>()
        for (const property of nodesAt(pattern, 'properties')) {
          if (property === null) continue
          if (property.type === 'RestElement') {
            const others = new Thing()
            makeList(isThing(value) ? 4 * value.fields.size : 0, this.effort)
            if (isThing(value))
              for (const [name, item] of value.fields) if (!taken.has(name)) others.fields.set(name, item)
            this.#bind(nodeAt(property, 'argument'), others, place, how)
            continue
          }
          const name = this.#keyOf(property, place)
          if (name === null) continue
          taken.add(name)
          this.#bind(nodeAt(property, 'value'), this.member(value, name), place, how)
        }
        return
      }
    }
  }

  #assignMember(target: Node, value: Value, place: Place): void {
    const object = this.#value(nodeAt(target, 'object'), place)
    const name = this.#nameOfMember(target, place)
    if (name !== null) this.setMember(object, name, value)
  }

  #nameOfMember(node: Node, place: Place): string | null {
    const property = nodeAt(node, 'property')
    if (property === undefined) return null
    if (node['computed'] !== true) return nameOf(property)
    const name = this.#value(property, place)
    return name === unknown ? null : this.textOf(name)
  }

  // Expressions.

  #value(node: Node | null | undefined, place: Place): Value {
    if (node === null || node === undefined) return undefined
    pay(this.effort, stepsOfNode)
    switch (node.type) {
      case 'Literal': {
        const { value } = node
        if (typeof node['bigint'] === 'string') return unknown
        return value as Value
      }
      case 'Identifier':
        return this.#read(String(node['name']), place)
      case 'TemplateLiteral':
        return this.#made(this.#template(node, place), node)
      case 'TaggedTemplateExpression':
        return this.#made(this.#tagged(node, place), node)
      case 'BinaryExpression':
        return this.#made(this.#binary(node, place), node)
      case 'LogicalExpression':
        return this.#logical(String(node['operator']), this.#value(nodeAt(node, 'left'), place), () =>
          this.#value(nodeAt(node, 'right'), place),
        )
      case 'ConditionalExpression':
        return this.#value(
          nodeAt(node, this.#decide(nodeAt(node, 'test'), place) ? 'consequent' : 'alternate'),
          place,
        )
      case 'UnaryExpression':
        return this.#unary(node, place)
      case 'UpdateExpression':
        return this.#update(node, place)
      case 'AssignmentExpression':
        return this.#made(this.#assign(node, place), node)
      case 'SequenceExpression': {
        let last: Value
        for (const part of nodesAt(node, 'expressions')) last = this.#value(part, place)
        return last
      }
      case 'ThisExpression':
        return place.frame.self
      case 'ArrayExpression': {
        const items = this.#list(nodesAt(node, 'elements'), place)
        return items
      }
      case 'ObjectExpression':
        return this.#object(node, place)
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'FunctionDeclaration':
        return this.#closure(node, place, place.frame.home)
      case 'ClassExpression':
      case 'ClassDeclaration':
        return this.#class(node, place)
      case 'MemberExpression':
        return this.#member(node, place).value
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return this.#value(nodeAt(node, 'expression'), place)
      case 'CallExpression':
        return this.#made(this.#call(node, place), node)
      case 'NewExpression': {
        const callee = this.#value(nodeAt(node, 'callee'), place)
        return this.#made(this.construct(callee, this.#list(nodesAt(node, 'arguments'), place)), node)
      }
      case 'AwaitExpression':
        return this.#value(nodeAt(node, 'argument'), place)
      case 'YieldExpression':
        return this.#yield(node, place)
      case 'MetaProperty':
        return unknown
      case 'Super':
        return unknown
      default:
        return unknown
    }
  }

  #made(value: Value, node: Node): Value {
    if (typeof value === 'string') this.#watched.made(value, node)
    return value
  }

  #read(name: string, { environment, frame }: Place): Value {
    pay(this.effort, environment.depth / placesInStep)
    const found = environment.read(name)
    if (found !== null) return found.value
    if (name === 'undefined') return undefined
    if (name === 'arguments') {
      makeList(frame.args.length, this.effort)
      return [...frame.args]
    }
    return this.#library.global(name)?.value ?? (name === 'NaN' ? Number.NaN : unknown)
  }

  #list(nodes: readonly (Node | null)[], place: Place): Value[] {
    pay(this.effort, nodes.length, 8 * nodes.length)
    const items: Value[] = []
    for (const node of nodes)
      if (node?.type === 'SpreadElement') {
        const spread = this.iterate(this.#value(nodeAt(node, 'argument'), place))
        pay(this.effort, spread?.length ?? 1, 8 * (spread?.length ?? 1))
        for (const item of spread ?? [unknown]) items.push(item)
      } else items.push(this.#value(node, place))
    return items
  }

  #object(node: Node, place: Place): Thing {
    pay(this.effort, stepsOfNode, bytesOfThing)
    const object = new Thing()
    const inside: Place = { ...place, frame: { ...place.frame, home: object } }
    for (const property of nodesAt(node, 'properties')) {
      if (property === null) continue
      pay(this.effort, stepsOfNode, 32)
      if (property.type === 'SpreadElement') {
        const spread = this.#value(nodeAt(property, 'argument'), place)
        if (!isThing(spread)) continue
        makeList(4 * spread.fields.size, this.effort)
        for (const [name, value] of spread.fields) object.fields.set(name, value)
        continue
      }
      const name = this.#keyOf(property, place)
      const value = this.#value(nodeAt(property, 'value'), inside)
      if (name === null) continue
      const kind = property['kind']
      if (kind === 'get' || kind === 'set') addAccessor(object, name, { [kind]: value })
      else object.fields.set(name, value)
    }
    return object
  }

  #member(
    node: Node,
    place: Place,
  ): { readonly value: Value; readonly self: Value; readonly name: string | null } {
    const owner = nodeAt(node, 'object')
    if (owner?.type === 'Super') {
      const name = this.#nameOfMember(node, place)
      const above = place.frame.home?.proto ?? null
      const { self } = place.frame
      if (name === null || above === null) return { value: unknown, self, name }
      const accessor = accessorOf(above, name)
      const value = accessor === undefined ? this.member(above, name) : this.call(accessor.get, self, [])
      return { value, self, name }
    }
    const self = this.#value(owner, place)
    const name = this.#nameOfMember(node, place)
    return { value: name === null ? unknown : this.member(self, name), self, name }
  }

  #call(node: Node, place: Place): Value {
    const callee = nodeAt(node, 'callee')
    if (callee === undefined) return unknown
    if (callee.type === 'Super') {
      const args = this.#list(nodesAt(node, 'arguments'), place)
      const { made, self } = place.frame
      const above = classOf(place.frame.home)?.proto ?? null
      if (above?.call != null && made !== undefined) above.call(self, args, made)
      const own = made === undefined ? undefined : initializers.get(made)
      if (made !== undefined && own !== undefined) {
        const last = own.pop()
        last?.(self)
      }
      return self
    }
    if (callee.type !== 'MemberExpression' && callee.type !== 'ChainExpression') {
      const target = this.#value(callee, place)
      const args = this.#list(nodesAt(node, 'arguments'), place)
      if (callee['name'] !== 'eval') return this.call(target, undefined, args)
      const before = this.#evaluating
      this.#evaluating = place
      try {
        return this.call(target, undefined, args)
      } finally {
        this.#evaluating = before
      }
    }
    const inner = callee.type === 'ChainExpression' ? nodeAt(callee, 'expression') : callee
    if (inner?.type !== 'MemberExpression') return unknown
    const { value, self, name } = this.#member(inner, place)
    const args = this.#list(nodesAt(node, 'arguments'), place)
    if (name === null) return unknown
    const isOwn = isThing(value) && value.call !== null && isThing(self)
    if (isOwn && (self.fields.has(name) || this.#isInherited(self, name))) return this.call(value, self, args)
    const result = this.#library.method(self, name, args)
    if (result !== null) {
      pay(this.effort, stepsOfCall)
      return result.value
    }
    return this.call(value, self, args)
  }

  #isInherited(object: Thing, name: string): boolean {
    for (
      let at: Thing | null = object, steps = 0;
      at !== null && steps < mostInherited;
      at = at.proto, steps++
    )
      if (at.fields.has(name) || at.accessors.has(name)) return true
    return false
  }

  #yield(node: Node, place: Place): Value {
    const value = this.#value(nodeAt(node, 'argument'), place)
    const { yielded } = place.frame
    if (yielded === null) return value
    if (node['delegate'] === true) for (const item of this.iterate(value) ?? [unknown]) yielded.push(item)
    else yielded.push(value)
    if (yielded.length >= mostYielded) throw new EnoughYielded(place.frame)
    return undefined
  }

  #binary(node: Node, place: Place): Value {
    if (node['operator'] !== '+')
      return this.#operate(
        String(node['operator']),
        this.#value(nodeAt(node, 'left'), place),
        this.#value(nodeAt(node, 'right'), place),
      )
    // Long sums are walked along their left side.
    const rights: Node[] = []
    let left: Node | undefined = node
    while (left?.type === 'BinaryExpression' && left['operator'] === '+') {
      const right = nodeAt(left, 'right')
      if (right !== undefined) rights.push(right)
      left = nodeAt(left, 'left')
    }
    let total = this.#value(left, place)
    for (const right of rights.reverse()) total = this.#operate('+', total, this.#value(right, place))
    return total
  }

  #operate(operator: string, left: Value, right: Value): Value {
    if (operator === '+') {
      const a: Value = this.#primitive(left)
      const b: Value = this.#primitive(right)
      if (typeof a === 'string' || typeof b === 'string')
        return concatenated(this.textOf(a), this.textOf(b), this.effort)
      if (a === unknown || b === unknown) return unknown
      return numberOf(a) + numberOf(b)
    }
    if (operator === 'in') {
      if (!isThing(right) || left === unknown) return unknown
      return this.#isInherited(right, this.textOf(left))
    }
    if (operator === 'instanceof') {
      const proto = isThing(right) ? prototypeOf(right) : null
      let at = isThing(left) ? left.proto : null
      for (let steps = 0; at !== null && steps < mostInherited; at = at.proto, steps++)
        if (at === proto) return true
      return unknown
    }
    if (/^[!=]==?$/.test(operator)) {
      if (left === unknown || right === unknown) return unknown
      if (typeof left === 'string') pay(this.effort, left.length / charactersInStep)
      const isEqual = operator.length === 3 ? left === right : looselyEqual(left, right)
      return isEqual === operator.startsWith('=')
    }
    if (typeof left === 'string') pay(this.effort, left.length / charactersInStep)
    return binary(operator, left, right)
  }

  #primitive(value: Value): Value {
    if (Array.isArray(value)) return this.textOf(value)
    if (!isThing(value)) return value
    return value.fields.has('toString') || value.proto !== null || value.accessors.size > 0
      ? this.textOf(value)
      : unknown
  }

  #logical(operator: string, left: Value, right: () => Value): Value {
    if (operator === '??') return left === null || left === undefined || left === unknown ? right() : left
    const holds = truthOf(left)
    if (holds === undefined) this.hasChosen = true
    if (operator === '&&') return holds === false ? left : right()
    return holds === true ? left : right()
  }

  #unary(node: Node, place: Place): Value {
    const operator = String(node['operator'])
    const value = this.#value(nodeAt(node, 'argument'), place)
    switch (operator) {
      case '!': {
        const holds = truthOf(value)
        return holds === undefined ? unknown : !holds
      }
      case 'void':
        return undefined
      case 'typeof':
        if (value === unknown) return unknown
        return isThing(value) ? (value.call === null ? 'object' : 'function') : typeof value
      case 'delete':
        return true
    }
    const plain = this.#primitive(value)
    if (plain === unknown) return unknown
    const number = numberOf(plain)
    return operator === '-' ? -number : operator === '+' ? number : operator === '~' ? ~number : unknown
  }

  #update(node: Node, place: Place): Value {
    const target = nodeAt(node, 'argument')
    if (target === undefined) return unknown
    const before = this.#value(target, place)
    const by = node['operator'] === '++' ? 1 : -1
    const after = before === unknown || isThing(before) ? unknown : numberOf(before) + by
    this.#bind(target, after, place, 'write')
    return node['prefix'] === true
      ? after
      : before === unknown || isThing(before)
        ? unknown
        : numberOf(before)
  }

  #assign(node: Node, place: Place): Value {
    const operator = String(node['operator'])
    const left = nodeAt(node, 'left')
    if (left === undefined) return unknown
    if (operator === '=') {
      const value = this.#value(nodeAt(node, 'right'), place)
      this.#bind(left, value, place, 'write')
      return value
    }
    const before = this.#value(left, place)
    const right = () => this.#value(nodeAt(node, 'right'), place)
    const value = /^(?:\|\||&&|\?\?)=$/.test(operator)
      ? this.#logical(operator.slice(0, -1), before, right)
      : this.#operate(operator.slice(0, -1), before, right())
    this.#bind(left, value, place, 'write')
    return value
  }

  #template(node: Node, place: Place): string {
    let text = ''
    const expressions = nodesAt(node, 'expressions')
    for (const [index, quasi] of nodesAt(node, 'quasis').entries()) {
      text = concatenated(
        text,
        String((quasi?.['value'] as { cooked?: unknown } | undefined)?.cooked ?? ''),
        this.effort,
      )
      const expression = expressions[index]
      if (expression !== undefined)
        text = concatenated(text, this.textOf(this.#value(expression, place)), this.effort)
    }
    return text
  }

  #tagged(node: Node, place: Place): Value {
    const quasi = nodeAt(node, 'quasi')
    const tag = nodeAt(node, 'tag')
    if (quasi === undefined || tag === undefined) return unknown
    const read = (form: 'cooked' | 'raw'): Value[] =>
      nodesAt(quasi, 'quasis').map((part) =>
        String((part?.['value'] as Record<string, unknown> | undefined)?.[form] ?? ''),
      )
    const strings = read('cooked')
    setExtra(strings, 'raw', read('raw'))
    const values = nodesAt(quasi, 'expressions').map((part) => this.#value(part, place))
    const of = tag.type === 'MemberExpression' ? this.#member(tag, place) : null
    const called: Value = of === null ? this.#value(tag, place) : of.value
    if (isThing(called) && called.call !== null) return this.call(called, of?.self, [strings, ...values])
    // Other tags mostly give their text back as it is.
    return this.#template(quasi, place)
  }
}

/** Initializers of objects that wait for the class above. */
const initializers = new WeakMap<Thing, ((self: Value) => void)[]>()

/** The class that a method's home belongs to. */
function classOf(home: Thing | null): Thing | null {
  if (home === null || home.isClass) return home
  const made = home.fields.get('constructor')
  return isThing(made) ? made : null
}

/** An argument that a call leaves out: nothing is known about it where nothing is called. */
function absent(args: readonly Value[]): Value {
  return args.length === 0 ? unknown : undefined
}

function orUnknown(value: Value): Value {
  return value === undefined ? unknown : value
}

function rootOf(environment: Environment): Environment {
  let at = environment
  while (at.parent !== null) at = at.parent
  return at
}
