/** Measures when this process, and with it a busy or sleeping machine, did nothing although it had something to do. */
export interface StandstillMeter {
  /** Called at each interval of `beatMs`. */
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

/** As long as most clients wait for an answer. */
export const standstillWindowMs = 8000
const beatMs = 250
/** Timers are late by so much on any machine that has something to do. */
const usualMs = 100

export function createStandstillMeter(now: () => number): StandstillMeter {
  const standstills: Standstill[] = []
  let beatAt = now()
  const lostBefore = (end: number): number =>
    standstills
      .map(({ from, to }) => Math.min(to, end) - Math.max(from, end - standstillWindowMs))
      .reduce((sum, ms) => sum + Math.max(0, ms), 0)
  const beat = () => {
    const [from, to] = [beatAt + beatMs, now()]
    if (to - from > usualMs) standstills.push({ from, to })
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
  const beating = setInterval(meter.beat, beatMs)
  beating.unref()
  return { worst: meter.worst, lostIn: meter.lostIn, [Symbol.dispose]: () => clearInterval(beating) }
}
