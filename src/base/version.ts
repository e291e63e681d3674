/** The version of the package; a test holds it equal to `package.json`, which reading would cost every start. */
export const version = '1.0.0'

/** The address of the documentation, that of `homepage` in `package.json`. */
export const documentation = 'https://github.com/twotoken/twotoken#readme'
