import { type Effort, OverEffort, ofExpression, partOf, pay } from '../model/effort.ts'
import type { NodeIn } from './call-sites.ts'
import { createEvaluator } from './evaluate.ts'
import { type Evaluator, isEndless, type Place } from './evaluator.ts'
import { bearsPath, isPartOfPath } from './http-clients.ts'
import { isSecretIn, runPieces } from './machine/run-pieces.ts'
import { endpointPath, followRequests, type Request } from './mint-requests.ts'
import { treeOf } from './parse-script.ts'
import { leaveBehind } from './parser-memory.ts'
import { collectReach } from './reach.ts'
import { collectScopes, type Node, nodeAt, nodesAt } from './scope.ts'
import { createSeeds } from './seeds.ts'
import { type Constant, charactersInStep, isList } from './value.ts'

/** Properties by which HTTP clients are told where their calls go. */
const baseAddress =
  /^(?:(?:base|prefix|api|server|service|mint)_?(?:ur[il]|base|host|root|address)?|host|origin|endpoint)$/i

export interface FoldedString {
  readonly value: string
  readonly start: number
  /** The script runs it as a script. */
  readonly isCode: boolean
}

export interface FoldedScript {
  readonly tree: Node
  /** The text of the tree. */
  readonly source: string
  /** Prefix of the keys. */
  readonly prefix: string
}

export interface FoldedStrings {
  /** With the place where each is or is put together. */
  readonly strings: FoldedString[]
  /** Addresses that clients are given. */
  readonly bases: string[]
  /** Requests that calls with the mint's path, or a part of it, are shown to make. */
  readonly requests: Request[]
  /** `false` where evaluating one of the expressions, or all of them, costs more than it may. */
  isWhole: boolean
}

/**
 * Strings that are in a script, or that it puts together, as far as that can be told.
 * @param hasPath whether pieces of the mint's path are in the script, so that what bears them is followed
 */
export function foldStrings(script: FoldedScript, effort: Effort, { hasPath = false } = {}): FoldedStrings {
  const found: FoldedStrings = { strings: [], bases: [], requests: [], isWhole: true }
  try {
    collect(script, effort, hasPath, found)
  } catch (error) {
    if (!(error instanceof OverEffort)) throw error
    found.isWhole = false
  }
  return found
}

/** Steps for a candidate that is looked at closely. */
const stepsOfRequest = 1000
/** Steps after which an expression without a result is not tried again. */
const muchSteps = 500_000

function collect(
  { tree, source, prefix }: FoldedScript,
  effort: Effort,
  hasPath: boolean,
  found: FoldedStrings,
): void {
  const { strings, bases, requests } = found
  const bearers: NodeIn[] = []
  const within = new Set<Node>()
  const composed: (NodeIn & { readonly value: Constant })[] = []
  let hasChoice = false
  const scopes = collectScopes(tree, effort)
  const seeds = createSeeds(source, prefix, effort, { hasPath })
  const reach = collectReach(tree, scopes, seeds, effort)
  const isWorth = (node: Node) => seeds.isEnough(reach.of(node))
  const own = partOf(effort, ofExpression)
  const costs = { script: effort, expression: own, muchSteps }
  /** Parts of which an expression costs too much to evaluate: running them may tell what they make. */
  const costly = new Set<number>()
  let at: Node = tree
  const tooCostly = () => {
    const part = reach.parts.partOf(at)
    if (part === undefined) found.isWhole = false
    else costly.add(part)
  }
  const evaluator = createEvaluator(scopes, costs, tooCostly)
  const tryOut = (expression: () => Constant, by: Evaluator): Constant => {
    try {
      return expression()
    } catch (error) {
      if (!(error instanceof OverEffort && error.effort === own)) throw error
      if (!isEndless(by)) tooCostly()
      return undefined
    }
  }
  /** Evaluates one expression, however much others cost. */
  const worth = (expression: () => Constant, by = evaluator): Constant => {
    Object.assign(own, ofExpression)
    Object.assign(by.running, { grown: 0, leastSteps: null })
    const value = tryOut(expression, by)
    pay(effort, leaveBehind(ofExpression.bytes - own.bytes))
    return value
  }
  const add = (value: Constant, start: number, isCode = false) => {
    if (typeof value !== 'string' && !(value instanceof Uint8Array)) return
    // Each is looked at, and one of bytes becomes a text.
    pay(effort, 1 + value.length / charactersInStep, typeof value === 'string' ? 0 : value.length)
    strings.push({
      value: typeof value === 'string' ? value : Buffer.from(value).toString('latin1'),
      start,
      isCode,
    })
  }
  const isGivenPath = (node: Node, place: Place) => {
    for (const given of nodesAt(node, 'arguments'))
      if (
        given !== null &&
        bearsPath(
          worth(() => evaluator.evaluate(given, place)),
          effort,
        )
      )
        return true
    return false
  }
  const isEndpoint = (node: Node, place: Place) => {
    const key = node.type === 'Property' ? nodeAt(node, 'key') : undefined
    if (key?.['name'] !== 'query' && key?.['name'] !== 'url') return false
    return isPartOfPath(
      worth(() => endpointPath(evaluator.evaluate(nodeAt(node, 'value'), place), evaluator)),
    )
  }
  scopes.visit((node, scope) => {
    at = node
    // A literal counts as well: its escapes are read as the language does.
    if (node.type === 'Literal') add(node['value'] as Constant, node.start)
    if (hasPath && isWorth(node) && (isPathname(node) || isEndpoint(node, { scope, frame: null })))
      bearers.push({ node, scope })
    hasChoice ||= isChoice(node)
    if (!isComposed(node) || within.has(node)) return
    if (node.type === 'BinaryExpression')
      for (let left = nodeAt(node, 'left'); left?.type === 'BinaryExpression'; left = nodeAt(left, 'left'))
        within.add(left)
    const place = { scope, frame: null }
    const code = evaluated(node)
    if (code !== undefined && reach.of(code) !== 0) {
      add(
        worth(() => joinedParts(evaluator.evaluate(code, place))),
        code.start,
        true,
      )
    }
    if (!isWorth(node)) return
    const value = worth(() => evaluator.evaluate(node, place))
    add(value, node.start)
    composed.push({ node, scope, value })
    if (hasPath && (isPartOfPath(value) || isGivenPath(node, place))) bearers.push({ node, scope })
  })
  if (hasChoice) {
    const other = createEvaluator(scopes, costs, tooCostly, { branch: 'alternate' })
    for (const { node, scope, value } of composed) {
      at = node
      const second = worth(() => other.evaluate(node, { scope, frame: null }), other)
      if (second !== value) add(second, node.start)
    }
  }
  at = tree
  // Addresses given to clients matter only to the mint's path.
  for (const [name, writes] of hasPath ? scopes.properties : [])
    if (baseAddress.test(name))
      for (const { value, scope } of writes) {
        const address = worth(() => evaluator.evaluate(value, { scope, frame: null }))
        if (typeof address === 'string') bases.push(address)
      }
  for (const scope of scopes.added)
    for (const [name, writes] of scope.names) {
      at = writes.find(({ value }) => reach.parts.partOf(value) !== undefined)?.value ?? tree
      if (seeds.isEnough(reach.ofName(scope, name)) && writes.some(({ isAddition }) => isAddition))
        add(
          worth(() => evaluator.written(name, writes, Number.POSITIVE_INFINITY)),
          writes[0]?.start ?? 0,
        )
    }
  if (reach.parts.count > 0) {
    const folded = composed.filter(({ value }) => typeof value === 'string' && isSecretIn(value, prefix))
    const pieces = { tree, prefix, parts: reach.parts, folded: folded.map(({ node }) => node), parse: treeOf }
    const { texts, open, isWhole } = runPieces(pieces, effort)
    for (const { value, start } of texts) add(value, start)
    if (!isWhole || open.some((part) => costly.has(part))) found.isWhole = false
  }
  const known = new Set<string>()
  const addRequest = (request: Request) => {
    const key = `${request.start} ${request.address}`
    if (known.has(key)) return
    pay(effort, stepsOfRequest, key.length * 2)
    known.add(key)
    requests.push(request)
  }
  if (bearers.length > 0) followRequests(bearers, { scopes, effort, found: addRequest, tooCostly })
}

/** Says whether a node chooses between texts, such as the prefixes of two environments. Both are read. */
function isChoice(node: Node): boolean {
  const sides = [nodeAt(node, 'consequent'), nodeAt(node, 'alternate')]
  return node.type === 'ConditionalExpression' && sides.some((side) => side !== undefined && isText(side))
}

function isText({ type, value }: Node): boolean {
  return type === 'Literal' ? typeof value === 'string' : type === 'TemplateLiteral'
}

/** The text that `eval`, `Function` or a timer runs, and the parts of a `Blob`, which may be a worker. */
function evaluated(node: Node): Node | undefined {
  const callee = nodeAt(node, 'callee')
  if (node.type === 'NewExpression' && callee?.['name'] === 'Blob')
    return nodesAt(node, 'arguments')[0] ?? undefined
  const name = String(callee === undefined ? '' : (callee['name'] ?? nodeAt(callee, 'property')?.['name']))
  if (!/^(?:eval|Function|setTimeout|setInterval)$/.test(name)) return undefined
  return nodesAt(node, 'arguments').at(name === 'Function' ? -1 : 0) ?? undefined
}

/** Joins the parts of a `Blob`: together they are one text. */
function joinedParts(value: Constant): Constant {
  return isList(value) && value.every((part) => typeof part === 'string') ? value.join('') : value
}

/** `address.pathname = …` */
function isPathname(node: Node): boolean {
  const left = node.type === 'AssignmentExpression' ? nodeAt(node, 'left') : undefined
  return left?.type === 'MemberExpression' && nodeAt(left, 'property')?.['name'] === 'pathname'
}

function isComposed({ type, operator }: Node): boolean {
  return type === 'BinaryExpression'
    ? operator === '+'
    : /^(?:TemplateLiteral|TaggedTemplateExpression|CallExpression|NewExpression)$/.test(type)
}
