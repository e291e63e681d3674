import { hole } from '../model/mint-call.ts'
import { evaluateCall } from './calls.ts'
import { destructure, type Evaluator, type Place, spreadItems } from './evaluator.ts'
import { arithmetic, logical, sum, unary } from './operators.ts'
import { runBody, runLoop } from './run.ts'
import { holderOf, type Node, nodeAt, nodesAt, type Scopes, type Write } from './scope.ts'
import { type Constant, isCallable, isFields, isList, textOf, truth } from './value.ts'

const deepest = 150
const longest = 262_144
const mostSteps = 200_000

/** Evaluates each expression of a script once, and gives up what goes too deep, too far or on for too long. */
export function createEvaluator(scopes: Scopes): Evaluator {
  const known = new Map<Node, Constant>()
  const inProgress = new Set<Node>()
  let depth = 0
  let steps = 0

  const evaluate = (node: Node | null | undefined, place: Place): Constant => {
    if (node === null || node === undefined || depth > deepest) return undefined
    if (place.frame === null) {
      if (inProgress.has(node)) return undefined
      if (known.has(node)) return known.get(node)
      inProgress.add(node)
    } else if (!evaluator.step()) return undefined
    depth += 1
    try {
      const value = bounded(evaluateNode(node, place, evaluator))
      if (place.frame === null) known.set(node, value)
      return value
    } finally {
      depth -= 1
      if (place.frame === null) inProgress.delete(node)
    }
  }

  const evaluator: Evaluator = {
    evaluate,
    scopeOf: scopes.scopeOf,
    call(callee, args) {
      if (!isCallable(callee) || depth > deepest || !evaluator.step()) return undefined
      depth += 1
      try {
        return bounded(runBody(callee, args, evaluator))
      } finally {
        depth -= 1
      }
    },
    property(name) {
      const [only, ...more] = scopes.properties.get(name) ?? []
      return only === undefined || more.length > 0
        ? undefined
        : evaluate(only.value, { scope: only.scope, frame: null })
    },
    step: () => ++steps < mostSteps,
  }
  return evaluator
}

function bounded(value: Constant): Constant {
  return (typeof value === 'string' || isList(value)) && value.length > longest ? undefined : value
}

/** What an expression comes to; `undefined` where that cannot be told. */
function evaluateNode(node: Node, place: Place, evaluator: Evaluator): Constant {
  const at = (field: string) => evaluator.evaluate(nodeAt(node, field), place)
  switch (node.type) {
    case 'Literal': {
      const { value } = node
      if (value instanceof RegExp) return isCheap(value) ? value : undefined
      return typeof value === 'string' ||
        typeof value === 'number' ||
        typeof value === 'boolean' ||
        value === null
        ? value
        : undefined
    }
    case 'TemplateLiteral':
      return evaluateTemplate(node, 'cooked', place, evaluator)
    case 'TaggedTemplateExpression':
      return evaluateTaggedTemplate(node, place, evaluator)
    case 'BinaryExpression':
      return evaluateSum(node, place, evaluator)
    case 'LogicalExpression':
      return logical(String(node['operator']), at('left'), () => at('right'))
    case 'ConditionalExpression': {
      const test = truth(at('test'))
      return test === undefined
        ? (at('consequent') ?? at('alternate'))
        : at(test ? 'consequent' : 'alternate')
    }
    case 'UnaryExpression':
      return unary(String(node['operator']), at('argument'))
    case 'SequenceExpression':
      return nodesAt(node, 'expressions')
        .map((part) => evaluator.evaluate(part, place))
        .at(-1)
    case 'Identifier':
      return valueOfName(String(node['name']), node.start, place, evaluator)
    case 'ArrayExpression':
      return spreadItems(nodesAt(node, 'elements'), place, evaluator)
    case 'ObjectExpression':
      return {
        fields: new Map(
          nodesAt(node, 'properties').flatMap((property) => fieldsOf(property, place, evaluator)),
        ),
      }
    case 'ClassDeclaration':
    case 'ClassExpression':
      return { fields: new Map(staticFields(node, place, evaluator)) }
    case 'MemberExpression':
      return evaluateMember(node, place, evaluator)
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return at('expression')
    case 'AssignmentExpression':
      return node['operator'] === '=' ? at('right') : undefined
    case 'AwaitExpression':
      return at('argument')
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return { callable: node, scope: place.scope, frame: place.frame }
    case 'CallExpression':
    case 'NewExpression':
      return evaluateCall(node, place, evaluator)
    default:
      return undefined
  }
}

/** A pattern without repetition, which no text makes slow. */
function isCheap({ source }: RegExp): boolean {
  return /^(?:[^+*{(?\\]|\\.)*\+?$/.test(source)
}

/** What a name means at a place of the script. */
function valueOfName(name: string, start: number, place: Place, evaluator: Evaluator): Constant {
  for (let frame = place.frame; frame !== null; frame = frame.parent)
    if (frame.values.has(name)) return frame.values.get(name)
  if (name === 'undefined') return null
  const writes = holderOf(name, place.scope)?.names.get(name)
  return writes === undefined ? undefined : valueOfWrites(writes, name, start, evaluator)
}

/** A name that is written more often than this holds nothing that could be told. */
const mostWrites = 64

/** What a name holds at a place, by the writes before it; by the first one where it is before all of them. */
export function valueOfWrites(
  writes: readonly Write[],
  name: string,
  start: number,
  evaluator: Evaluator,
): Constant {
  if (writes.length > mostWrites) return undefined
  const before = writes.filter((write) => write.start < start && write.value.start < start)
  const loops = new Set<Node>()
  let value: Constant
  for (const write of before.length > 0 ? before : writes.slice(0, 1)) {
    if (write.loop !== null && writes.length > 1) {
      if (!loops.has(write.loop)) value = runLoop(write.loop, write.scope, name, value, evaluator)
      loops.add(write.loop)
      continue
    }
    const next = destructure(evaluator.evaluate(write.value, { scope: write.scope, frame: null }), write.pick)
    value = write.isAddition ? sum(value, next) : next
  }
  return value
}

/** The value of a property of a constant, or of a property that the script gives one value only. */
function evaluateMember(node: Node, place: Place, evaluator: Evaluator): Constant {
  const owner = nodeAt(node, 'object')
  const property = nodeAt(node, 'property')
  const name = node['computed'] === true ? evaluator.evaluate(property, place) : property?.['name']
  if (typeof name !== 'string' && typeof name !== 'number') return undefined
  const object = evaluator.evaluate(owner, place)
  if (typeof object === 'string' || isList(object) || object instanceof Uint8Array) {
    if (name === 'length') return object.length
    const index =
      typeof name === 'number' ? name : /^(?:0x[0-9a-f]+|\d+)$/i.test(name) ? Number(name) : undefined
    return index === undefined ? undefined : object[index]
  }
  const own = isFields(object) ? object.fields.get(String(name)) : undefined
  return own ?? (typeof name === 'string' ? evaluator.property(name) : undefined)
}

/** The fields that a property, or a spread object, adds. */
function fieldsOf(property: Node | null, place: Place, evaluator: Evaluator): [string, Constant][] {
  if (property?.type === 'SpreadElement') {
    const spread = evaluator.evaluate(nodeAt(property, 'argument'), place)
    return isFields(spread) ? [...spread.fields] : []
  }
  const key = property === null ? undefined : nodeAt(property, 'key')
  if (property === null || !/^Property(?:Definition)?$/.test(property.type) || key === undefined) return []
  const isPlain = property['computed'] !== true && key.type === 'Identifier'
  const name = isPlain ? String(key['name']) : textOf(evaluator.evaluate(key, place))
  if (name === undefined) return []
  return [[name, evaluator.evaluate(nodeAt(property, 'value'), place)]]
}

/** The static fields of a class. */
function staticFields(node: Node, place: Place, evaluator: Evaluator): [string, Constant][] {
  const body = nodeAt(node, 'body')
  return (body === undefined ? [] : nodesAt(body, 'body')).flatMap((member) =>
    member?.type === 'PropertyDefinition' && member['static'] === true
      ? fieldsOf(member, place, evaluator)
      : [],
  )
}

/** Long chains of `+` are walked along their left side, so that they do not exhaust the stack. */
function evaluateSum(node: Node, place: Place, evaluator: Evaluator): Constant {
  if (node['operator'] !== '+')
    return arithmetic(
      String(node['operator']),
      evaluator.evaluate(nodeAt(node, 'left'), place),
      evaluator.evaluate(nodeAt(node, 'right'), place),
    )
  const parts: Constant[] = []
  let left: Node | undefined = node
  while (left?.type === 'BinaryExpression' && left['operator'] === '+') {
    parts.push(evaluator.evaluate(nodeAt(left, 'right'), place))
    left = nodeAt(left, 'left')
  }
  parts.push(evaluator.evaluate(left, place))
  parts.reverse()
  if (!parts.some((part) => typeof part !== 'number'))
    return parts.reduce<Constant>((all, part) => sum(all, part), 0)
  // An unknown part leaves a hole, where at least one other is a text.
  return parts.some((part) => typeof part === 'string' || isList(part))
    ? parts.map((part) => textOf(part) ?? hole).join('')
    : undefined
}

/** With a hole for each part that is not known. */
function evaluateTemplate(node: Node, form: 'cooked' | 'raw', place: Place, evaluator: Evaluator): string {
  const parts = nodesAt(node, 'expressions').map((part) => textOf(evaluator.evaluate(part, place)) ?? hole)
  return nodesAt(node, 'quasis')
    .map((quasi, index) => {
      const text = (quasi?.['value'] as Record<string, unknown> | undefined)?.[form]
      return String(text ?? '') + (parts[index] ?? '')
    })
    .join('')
}

/** `String.raw`; other tags mostly give their text back as it is. */
function evaluateTaggedTemplate(node: Node, place: Place, evaluator: Evaluator): Constant {
  const quasi = nodeAt(node, 'quasi')
  const tag = nodeAt(node, 'tag')
  const isRaw = tag?.type === 'MemberExpression' && nodeAt(tag, 'property')?.['name'] === 'raw'
  return quasi === undefined ? undefined : evaluateTemplate(quasi, isRaw ? 'raw' : 'cooked', place, evaluator)
}
