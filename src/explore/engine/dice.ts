/** Draws of which the same seed gives the same ones. */
export interface Dice {
  /** True in this share of all draws. */
  chance(share: number): boolean
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  /** One that is named twice is twice as likely. */
  oneOf<const T>(values: readonly T[]): T
}

export function createDice(random: () => number): Dice {
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  return {
    chance: (share) => random() < share,
    between,
    oneOf(values) {
      if (values.length === 0) throw new Error('there is nothing to draw from')
      return values[between(0, values.length - 1)] as (typeof values)[number]
    },
  }
}
