import { constantOf } from './constant.ts'
import type { Folder, Place } from './folder.ts'
import { runBody } from './run.ts'
import type { Node, Scopes } from './scope.ts'
import { type Constant, isCallable, isList } from './value.ts'

const deepest = 150
const longest = 262_144
const mostSteps = 200_000

/** Evaluates each expression of a script once, and gives up what goes too deep, too far or on for too long. */
export function createFolder(scopes: Scopes): Folder {
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
    } else if (!folder.step()) return undefined
    depth += 1
    try {
      const value = bounded(constantOf(node, place, folder))
      if (place.frame === null) known.set(node, value)
      return value
    } finally {
      depth -= 1
      if (place.frame === null) inProgress.delete(node)
    }
  }

  const folder: Folder = {
    evaluate,
    scopeOf: scopes.scopeOf,
    call(callee, args) {
      if (!isCallable(callee) || depth > deepest || !folder.step()) return undefined
      depth += 1
      try {
        return bounded(runBody(callee, args, folder))
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
  return folder
}

function bounded(value: Constant): Constant {
  return (typeof value === 'string' || isList(value)) && value.length > longest ? undefined : value
}
