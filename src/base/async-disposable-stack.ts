/**
 * `AsyncDisposableStack` for Node 22, which knows `Symbol.asyncDispose` but not the stack: resources are released in the
 * reverse order; an error on the way is thrown once all had their turn. Imported for its effect by whatever is an entry.
 */
class Stack implements AsyncDisposableStack {
  #releases: (() => unknown)[] = []
  #disposed = false

  get disposed(): boolean {
    return this.#disposed
  }

  use<Resource extends AsyncDisposable | Disposable | null | undefined>(resource: Resource): Resource {
    if (resource !== null && resource !== undefined)
      this.defer(() =>
        Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose]() : resource[Symbol.dispose](),
      )
    return resource
  }

  adopt<Value>(value: Value, release: (value: Value) => PromiseLike<void> | void): Value {
    this.defer(() => release(value))
    return value
  }

  defer(release: () => PromiseLike<void> | void): void {
    if (this.#disposed) throw new ReferenceError('the stack has been disposed of')
    this.#releases.push(release)
  }

  move(): AsyncDisposableStack {
    if (this.#disposed) throw new ReferenceError('the stack has been disposed of')
    const moved = new Stack()
    moved.#releases = this.#releases
    this.#releases = []
    this.#disposed = true
    return moved
  }

  async disposeAsync(): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    const errors: unknown[] = []
    for (const release of this.#releases.splice(0).reverse())
      try {
        await release()
      } catch (error) {
        errors.push(error)
      }
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync()
  }

  get [Symbol.toStringTag](): string {
    return 'AsyncDisposableStack'
  }
}

globalThis.AsyncDisposableStack ??= Stack
