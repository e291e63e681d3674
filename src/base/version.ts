/** The version of the package; a test holds it equal to `package.json`, which reading would cost every start. */
export const version = '1.0.0'

const repository = 'https://github.com/twotoken/twotoken'

/** The address of the documentation, that of `homepage` in `package.json`. */
export const documentation: string = `${repository}#readme`

export function pageAddress(page: string, anchor?: string): string {
  return `${repository}/blob/v${version}/docs/${page}.md${anchor === undefined ? '' : `#${anchor}`}`
}

/** The value of `User-Agent`: a service's own log then names the exchange in which the suite has recorded the same request. */
export function userAgentOf(run: string, exchange: string): string {
  return `twotoken/${version} (${run}; ${exchange})`
}
