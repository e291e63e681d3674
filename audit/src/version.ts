/** The version of the package; a test compares it with `package.json`, which reading would cost every start. */
export const version = '1.0.0'
