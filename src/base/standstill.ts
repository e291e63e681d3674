import { standstillBeatMs, standstillWindowMs, usualLatenessMs } from './times.ts'

/** Measures when this process, and with it a busy or sleeping machine, did nothing although it had something to do. */
export function createStandstillMeter(now: () => number) {
  const standstills: { readonly from: number; readonly to: number }[] = []
  let beatAt = now()
  const lostBetween = (begin: number, end: number): number =>
    standstills
      .map(({ from, to }) => Math.max(0, Math.min(to, end) - Math.max(from, begin)))
      .reduce((sum, ms) => sum + ms, 0)
  const beat = () => {
    const [from, to] = [beatAt + standstillBeatMs, now()]
    if (to - from > usualLatenessMs) standstills.push({ from, to })
    beatAt = to
  }
  return {
    /** Called at each interval of `standstillBeatMs`. */
    beat,
    /** The milliseconds that were lost between two instants. */
    lostIn(begin: number, end: number): number {
      beat()
      return lostBetween(begin, end)
    },
    /** The most milliseconds that were lost within any time of `standstillWindowMs`. */
    worst(): number {
      beat()
      return Math.max(0, ...standstills.map(({ to }) => lostBetween(to - standstillWindowMs, to)))
    },
  }
}

/** Measures until it is disposed of. */
export function watchForStandstills() {
  const meter = createStandstillMeter(() => performance.now())
  const beating = setInterval(meter.beat, standstillBeatMs)
  beating.unref()
  return { ...meter, [Symbol.dispose]: () => clearInterval(beating) }
}
