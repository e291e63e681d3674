import { standstillBeatMs, standstillWindowMs, usualLatenessMs } from './times.ts'

/** Measures when this process, and with it a busy or sleeping machine, did nothing although it had something to do. */
export interface StandstillMeter {
  /** Called at each interval of `standstillBeatMs`. */
  beat(): void
  /** The most milliseconds that were lost within any time of `windowMs`. */
  worst(): number
  /** The milliseconds that were lost between two instants. */
  lostIn(from: number, to: number): number
}

interface Standstill {
  readonly from: number
  readonly to: number
}

export function createStandstillMeter(now: () => number): StandstillMeter {
  const standstills: Standstill[] = []
  let beatAt = now()
  const lostBefore = (end: number): number =>
    standstills
      .map(({ from, to }) => Math.min(to, end) - Math.max(from, end - standstillWindowMs))
      .reduce((sum, ms) => sum + Math.max(0, ms), 0)
  const beat = () => {
    const [from, to] = [beatAt + standstillBeatMs, now()]
    if (to - from > usualLatenessMs) standstills.push({ from, to })
    beatAt = to
  }
  return {
    beat,
    lostIn(begin, end) {
      beat()
      return standstills
        .map(({ from, to }) => Math.max(0, Math.min(to, end) - Math.max(from, begin)))
        .reduce((sum, ms) => sum + ms, 0)
    },
    worst() {
      beat()
      return Math.max(0, ...standstills.map(({ to }) => lostBefore(to)))
    },
  }
}

/** Measures until it is disposed of. */
export function watchForStandstills(): Omit<StandstillMeter, 'beat'> & Disposable {
  const meter = createStandstillMeter(() => performance.now())
  const beating = setInterval(meter.beat, standstillBeatMs)
  beating.unref()
  return { worst: meter.worst, lostIn: meter.lostIn, [Symbol.dispose]: () => clearInterval(beating) }
}
