import { callResult } from './calls.ts'
import { fieldsOf, staticFields } from './fields.ts'
import { type Folder, listed, type Place } from './folder.ts'
import { memberOf } from './members.ts'
import { named } from './names.ts'
import { logical, unary } from './operators.ts'
import { type Node, nodeAt, nodesAt } from './scope.ts'
import { sumOf } from './sums.ts'
import { taggedText, templateText } from './templates.ts'
import { type Constant, truth } from './value.ts'

/** What an expression comes to; `undefined` where that cannot be told. */
export function constantOf(node: Node, place: Place, folder: Folder): Constant {
  const at = (field: string) => folder.evaluate(nodeAt(node, field), place)
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
      return templateText(node, 'cooked', place, folder)
    case 'TaggedTemplateExpression':
      return taggedText(node, place, folder)
    case 'BinaryExpression':
      return sumOf(node, place, folder)
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
        .map((part) => folder.evaluate(part, place))
        .at(-1)
    case 'Identifier':
      return named(String(node['name']), node.start, place, folder)
    case 'ArrayExpression':
      return listed(nodesAt(node, 'elements'), place, folder)
    case 'ObjectExpression':
      return {
        fields: new Map(nodesAt(node, 'properties').flatMap((property) => fieldsOf(property, place, folder))),
      }
    case 'ClassDeclaration':
    case 'ClassExpression':
      return { fields: new Map(staticFields(node, place, folder)) }
    case 'MemberExpression':
      return memberOf(node, place, folder)
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
      return callResult(node, place, folder)
    default:
      return undefined
  }
}

/** A pattern without repetition, which no text makes slow. */
function isCheap({ source }: RegExp): boolean {
  return /^(?:[^+*{(?\\]|\\.)*\+?$/.test(source)
}
