import * as leaf from '../../base/schema/leaves.ts'

/** The name of a header or a cookie. */
export const sentName = leaf.token.describe('The name under which it is sent')
export const parameterName = leaf.text().describe('The name of the query parameter')
