/** Blocks of code, in which nothing is a link. */
export const fenced = /^[ \t]*```.*?^[ \t]*```[ \t]*$/gms

/** Links to files and to anchors of the project: the target, empty for the page itself, and the anchor after `#`. */
export const link = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g
