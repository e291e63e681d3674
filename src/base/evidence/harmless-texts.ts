/**
 * Texts in which nothing was found, so that none is searched twice: names and values of headers come again with each
 * exchange.
 */
export interface HarmlessTexts {
  has(text: string): boolean
  add(text: string): void
  /** Forgets those of at least so many characters, since they may hold a secret that is new. */
  forget(characters: number): void
}

/** Longer ones seldom come again. */
const longest = 256
const mostTexts = 10_000

export function createHarmlessTexts(): HarmlessTexts {
  const byLength = new Map<number, Set<string>>()
  let count = 0
  return {
    has: (text) => text.length <= longest && byLength.get(text.length)?.has(text) === true,
    add(text) {
      if (text.length > longest || count >= mostTexts) return
      const alike = byLength.get(text.length) ?? new Set()
      byLength.set(text.length, alike.add(text))
      count += 1
    },
    forget(characters) {
      for (const [length, texts] of byLength)
        if (length >= characters && byLength.delete(length)) count -= texts.size
    },
  }
}
