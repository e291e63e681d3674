import { type Effort, OverEffort, ofExpression, partOf, pay } from '../model/effort.ts'
import type { NodeIn } from './evaluate/call-sites.ts'
import { type Costs, createEvaluator } from './evaluate/evaluate.ts'
import { type Evaluator, isEndless, type Place } from './evaluate/evaluator.ts'
import { bearsPath, isPartOfPath } from './evaluate/http-clients.ts'
import { type Constant, charactersInStep, isList } from './evaluate/value.ts'
import { isSecretIn, runPieces } from './machine/run-pieces.ts'
import { endpointPath, followRequests, type Request } from './mint-requests.ts'
import { byDistance } from './parse/extract-expressions.ts'
import { treeOf } from './parse/parse-script.ts'
import { leaveBehind } from './parse/parser-memory.ts'
import { collectScopes, type Node, nodeAt, nodesAt, type Scopes } from './parse/scope.ts'
import { collectReach, type Reach } from './reach/reach.ts'
import { createSeeds, type Seeds } from './reach/seeds.ts'

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
  /** How far what is at a place in the tree is from a piece of what is looked for, where that is known. */
  readonly distanceOf?: (start: number) => number
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

/** A script that is being folded, and what was found in it so far. */
interface Folding {
  readonly script: FoldedScript
  readonly effort: Effort
  readonly hasPath: boolean
  readonly found: FoldedStrings
  readonly scopes: Scopes
  readonly seeds: Seeds
  readonly reach: Reach
  readonly evaluator: Evaluator
  readonly costs: Costs
  /** Parts of which an expression costs too much to evaluate: running them may tell what they make. */
  readonly costly: Set<number>
  readonly tooCostly: () => void
  /** The node that is looked at. */
  at: Node
  readonly bearers: NodeIn[]
  readonly composed: (NodeIn & { readonly value: Constant })[]
  hasChoice: boolean
}

function collect(script: FoldedScript, effort: Effort, hasPath: boolean, found: FoldedStrings): void {
  const { tree, source, prefix } = script
  const scopes = collectScopes(tree, effort)
  const seeds = createSeeds(source, prefix, effort, { hasPath })
  const reach = collectReach(tree, scopes, seeds, effort)
  const costs = { script: effort, expression: partOf(effort, ofExpression), muchSteps }
  const costly = new Set<number>()
  const tooCostly = () => {
    const part = reach.parts.partOf(folding.at)
    if (part === undefined) found.isWhole = false
    else costly.add(part)
  }
  const evaluator = createEvaluator(scopes, costs, tooCostly)
  const folding: Folding = {
    ...{ script, effort, hasPath, found, scopes, seeds, reach, evaluator, costs, costly, tooCostly },
    at: tree,
    bearers: [],
    composed: [],
    hasChoice: false,
  }
  visitNodes(folding)
  if (folding.hasChoice) takeOtherBranches(folding)
  folding.at = tree
  if (hasPath) addBases(folding)
  addGrown(folding)
  if (reach.parts.count > 0) runParts(folding)
  if (folding.bearers.length > 0) addRequests(folding)
}

/** One expression takes so much at most of what is left for all of a script: two must not use up what others need. */
const shareOfExpression = 1 / 4

/** Evaluates one expression, however much others cost. */
function worth(folding: Folding, expression: () => Constant, by = folding.evaluator): Constant {
  const { expression: own } = folding.costs
  const steps = Math.min(ofExpression.steps, folding.effort.steps * shareOfExpression)
  Object.assign(own, ofExpression, { steps })
  Object.assign(by.running, { grown: 0, leastSteps: null })
  const value = tryOut(folding, expression, by)
  pay(folding.effort, leaveBehind(ofExpression.bytes - own.bytes))
  return value
}

function tryOut({ costs, tooCostly }: Folding, expression: () => Constant, by: Evaluator): Constant {
  try {
    return expression()
  } catch (error) {
    if (!(error instanceof OverEffort && error.effort === costs.expression)) throw error
    if (!isEndless(by)) tooCostly()
    return undefined
  }
}

function add({ effort, found }: Folding, value: Constant, start: number, isCode = false): void {
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) return
  // Each is looked at, and one of bytes becomes a text.
  pay(effort, 1 + value.length / charactersInStep, typeof value === 'string' ? 0 : value.length)
  const text = typeof value === 'string' ? value : Buffer.from(value).toString('latin1')
  found.strings.push({ value: text, start, isCode })
}

function visitNodes(folding: Folding): void {
  const { scopes, hasPath, bearers, script } = folding
  const { distanceOf } = script
  const within = new Set<Node>()
  const waiting: (NodeIn & { readonly distance: number })[] = []
  scopes.visit((node, scope) => {
    folding.at = node
    const place = { scope, frame: null }
    // A literal counts as well: its escapes are read as the language does.
    if (node.type === 'Literal') add(folding, node['value'] as Constant, node.start)
    if (hasPath && isWorth(folding, node) && (isPathname(node) || isEndpoint(folding, node, place)))
      bearers.push({ node, scope })
    folding.hasChoice ||= isChoice(node)
    if (!isComposed(node) || within.has(node)) return
    if (node.type === 'BinaryExpression')
      for (let left = nodeAt(node, 'left'); left?.type === 'BinaryExpression'; left = nodeAt(left, 'left'))
        within.add(left)
    if (distanceOf === undefined) foldNode(folding, { node, scope })
    else waiting.push({ node, scope, distance: distanceOf(node.start) })
  })
  // Names mean many things in parts of a large script, so that few expressions may use up what all of them may cost.
  for (const one of waiting.sort(byDistance)) foldNode(folding, one)
}

function isWorth({ seeds, reach }: Folding, node: Node): boolean {
  return seeds.isEnough(reach.of(node))
}

function foldNode(folding: Folding, { node, scope }: NodeIn): void {
  const { reach, evaluator, hasPath, bearers, composed } = folding
  const place = { scope, frame: null }
  folding.at = node
  const code = evaluated(node)
  if (code !== undefined && reach.of(code) !== 0) {
    const joined = worth(folding, () => joinedParts(evaluator.evaluate(code, place)))
    add(folding, joined, code.start, true)
  }
  if (!isWorth(folding, node)) return
  const value = worth(folding, () => evaluator.evaluate(node, place))
  add(folding, value, node.start)
  composed.push({ node, scope, value })
  if (hasPath && (isPartOfPath(value) || isGivenPath(folding, node, place))) bearers.push({ node, scope })
}

function isGivenPath(folding: Folding, node: Node, place: Place): boolean {
  const { evaluator, effort } = folding
  return nodesAt(node, 'arguments').some((given) => {
    if (given === null) return false
    const value = worth(folding, () => evaluator.evaluate(given, place))
    return bearsPath(value, effort)
  })
}

function isEndpoint(folding: Folding, node: Node, place: Place): boolean {
  const { evaluator } = folding
  const key = node.type === 'Property' ? nodeAt(node, 'key') : undefined
  if (key?.['name'] !== 'query' && key?.['name'] !== 'url') return false
  const path = () => endpointPath(evaluator.evaluate(nodeAt(node, 'value'), place), evaluator)
  return isPartOfPath(worth(folding, path))
}

/** Evaluates everything once more, with the other side of each choice. */
function takeOtherBranches(folding: Folding): void {
  const { scopes, costs, tooCostly, composed } = folding
  const other = createEvaluator(scopes, costs, tooCostly, { branch: 'alternate' })
  for (const { node, scope, value } of composed) {
    folding.at = node
    const second = worth(folding, () => other.evaluate(node, { scope, frame: null }), other)
    if (second !== value) add(folding, second, node.start)
  }
}

/** Addresses given to clients, which matter only to the mint's path. */
function addBases(folding: Folding): void {
  const { scopes, evaluator, found } = folding
  for (const [name, writes] of scopes.properties)
    if (baseAddress.test(name))
      for (const { value, scope } of writes) {
        const address = worth(folding, () => evaluator.evaluate(value, { scope, frame: null }))
        if (typeof address === 'string') found.bases.push(address)
      }
}

/** Names to which a script adds piece by piece. */
function addGrown(folding: Folding): void {
  const { scopes, seeds, reach, evaluator, script } = folding
  for (const scope of scopes.added)
    for (const [name, writes] of scope.names) {
      const partOfOne = writes.find(({ value }) => reach.parts.partOf(value) !== undefined)
      folding.at = partOfOne?.value ?? script.tree
      if (!seeds.isEnough(reach.ofName(scope, name)) || !writes.some(({ isAddition }) => isAddition)) continue
      const value = worth(folding, () => evaluator.written(name, writes, Number.POSITIVE_INFINITY))
      add(folding, value, writes[0]?.start ?? 0)
    }
}

function runParts(folding: Folding): void {
  const { script, reach, effort, found, costly, composed } = folding
  const { tree, prefix } = script
  const folded = composed.filter(({ value }) => typeof value === 'string' && isSecretIn(value, prefix))
  const pieces = { tree, prefix, parts: reach.parts, folded: folded.map(({ node }) => node), parse: treeOf }
  const { texts, open, isWhole } = runPieces(pieces, effort)
  for (const { value, start } of texts) add(folding, value, start)
  if (!isWhole || open.some((part) => costly.has(part))) found.isWhole = false
}

function addRequests({ bearers, scopes, effort, found, tooCostly }: Folding): void {
  const known = new Set<string>()
  const addRequest = (request: Request) => {
    const key = `${request.start} ${request.address}`
    if (known.has(key)) return
    pay(effort, stepsOfRequest, key.length * 2)
    known.add(key)
    found.requests.push(request)
  }
  followRequests(bearers, { scopes, effort, found: addRequest, tooCostly })
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
