/** Leaves parts of a list out, many at once at first, as long as `breaks` accepts what is left; keeps at least one. */
export async function leaveOut<T>(
  list: () => readonly T[],
  breaks: (fewer: readonly T[]) => Promise<boolean>,
): Promise<void> {
  for (let many = list().length >> 1; many >= 1; many >>= 1)
    for (let place = 0; place < list().length && list().length > many; )
      if (!(await breaks(list().toSpliced(place, many)))) place += many
}
