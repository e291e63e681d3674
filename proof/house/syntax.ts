import { parseSync } from 'vite'

/** A file of the checkout. */
interface Source {
  readonly path: string
  readonly text: string
}

/** A node of an ESTree, with members of any kind. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Gives each node of a file with its name, or the name of what it is assigned to. */
export function walk({ path, text }: Source, onNode: (node: Node, name: string | null) => void): void {
  const visit = (node: Node, name: string | null) => {
    const own = nameOf(node['id']) ?? nameOf(node['key']) ?? name
    onNode(node, own)
    for (const value of Object.values(node))
      for (const child of [value].flat()) if (isNode(child)) visit(child, own)
  }
  const { program } = parseSync(path, text)
  if (isNode(program)) visit(program, null)
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
