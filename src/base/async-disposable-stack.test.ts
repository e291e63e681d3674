import { expect, test, vi } from 'vitest'

/** Our own stack, as Node 22 gets it. */
async function ours(): Promise<new () => AsyncDisposableStack> {
  const native = globalThis.AsyncDisposableStack
  Reflect.deleteProperty(globalThis, 'AsyncDisposableStack')
  try {
    vi.resetModules()
    await import('./async-disposable-stack.ts')
    expect(globalThis.AsyncDisposableStack).not.toBe(native)
    return globalThis.AsyncDisposableStack
  } finally {
    globalThis.AsyncDisposableStack = native
  }
}

const stacks = [
  ['of Node', async () => globalThis.AsyncDisposableStack],
  ['of our own', ours],
] as const

test.each(stacks)('the stack %s releases in reverse order, and each once', async (_, load) => {
  const stack = new (await load())()
  const released: string[] = []
  stack.use({ [Symbol.asyncDispose]: async () => void released.push('used') })
  stack.use({ [Symbol.dispose]: () => void released.push('used at once') })
  expect(stack.use(null)).toBe(null)
  expect(stack.adopt('value', (value) => void released.push(value))).toBe('value')
  stack.defer(() => void released.push('deferred'))
  expect(stack.disposed).toBe(false)
  await stack.disposeAsync()
  await stack[Symbol.asyncDispose]()
  expect(released).toEqual(['deferred', 'value', 'used at once', 'used'])
  expect(stack.disposed).toBe(true)
  expect(() => stack.defer(() => undefined)).toThrow(ReferenceError)
})

test.each(stacks)('the stack %s that was moved releases nothing itself', async (_, load) => {
  const released: string[] = []
  const stack = new (await load())()
  stack.defer(() => void released.push('moved'))
  const moved = stack.move()
  await stack.disposeAsync()
  expect(released).toEqual([])
  await moved.disposeAsync()
  expect(released).toEqual(['moved'])
  expect(() => stack.move()).toThrow(ReferenceError)
})

test.each(stacks)('the stack %s releases the rest where one release fails, and says so', async (_, load) => {
  const released: string[] = []
  const stack = new (await load())()
  stack.defer(() => void released.push('first'))
  stack.defer(() => Promise.reject(new Error('stuck')))
  await expect(stack.disposeAsync()).rejects.toThrow('stuck')
  expect(released).toEqual(['first'])
})
