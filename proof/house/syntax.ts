import { parseSync } from 'vite'

/** A text in the code: what is written out of it, in pieces where a template puts values in between. */
interface WrittenText {
  readonly pieces: readonly string[]
  /** Name of what it is assigned or given to. */
  readonly name: string | null
}

/** Lists every text that a file of the checkout writes out. */
export function textsIn(path: string, source: string): WrittenText[] {
  const found: WrittenText[] = []
  const visit = (node: Node, above: string | null) => {
    const name = nameOf(node['id']) ?? nameOf(node['key']) ?? above
    if (node.type === 'Literal' && typeof node['value'] === 'string')
      found.push({ pieces: [node['value']], name })
    if (node.type === 'TemplateLiteral') {
      const quasis = node['quasis'] as { value: { cooked: string | null } }[]
      found.push({ pieces: quasis.map(({ value }) => value.cooked ?? ''), name })
    }
    for (const value of Object.values(node))
      for (const child of [value].flat()) if (isNode(child)) visit(child, name)
  }
  const { program } = parseSync(path, source)
  if (isNode(program)) visit(program, null)
  return found
}

/** A node of an ESTree, with members of any kind. */
interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Gives the name of an identifier, or of what a call or a member begins with: `test` of `test.each([])`. */
function nameOf(value: unknown): string | null {
  if (!isNode(value)) return null
  if (typeof value['name'] === 'string') return value['name']
  if (value.type === 'MemberExpression') return nameOf(value['object'])
  return value.type === 'CallExpression' ? nameOf(value['callee']) : null
}
