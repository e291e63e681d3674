// One check at a time drives a part: so a scripted double, a count of calls or a silent window belongs to one check. A check that
// drives several parts holds the lane of each; clients have doubles of their own, so that some run at once.

export const laneNames = ['mint', 'backend', 'signaling', 'client'] as const
export type Lane = (typeof laneNames)[number]

/** The order within a lane. Those behind `again` run alone, when all others are settled. */
const stages = [
  /** Gives its lanes to others while it waits for the end of a token, and begins first. */
  'expiry',
  /** Keeps its lane while it waits for that: an answer to others would change what it sees. */
  'expiry in its lane',
  'ordinary',
  /** May leave a part without answers for a while: no token may end meanwhile. */
  'straining',
  /** A second try. */
  'again',
  /** Looks at what the others have left. */
  'looking',
  /** Ends a credential, which others look at then. */
  'ending',
  'ended',
  /** May have the suite banned. */
  'banning',
  /** The same at the mint, whose tokens the others need. */
  'banning at the mint',
  /** No fresh token may join for a while after it. */
  'rotating',
] as const
type AnyStage = (typeof stages)[number]
/** When a check has its turn. */
export type Stage = Exclude<AnyStage, 'again'>

export interface Turn {
  readonly lanes: readonly Lane[]
  readonly stage: Stage
}

/** The lanes of a check while it has its turn. */
export interface Held {
  /** Gives the lanes to others for as long as the check waits for an instant, and for what has to happen at that instant. */
  handBack(): void
  /** Has the lanes again meanwhile, before all who wait for them. */
  inTurn<T>(run: () => Promise<T>): Promise<T>
}

/** Where nothing else is judged. */
export const alwaysHeld: Held = { handBack: () => undefined, inTurn: (run) => run() }

/** A check among the others, until it is settled. */
export interface Seat extends Disposable {
  take<T>(run: (held: Held) => Promise<T>): Promise<T>
  /** Once more, behind the first tries of its lanes. */
  takeAgain<T>(run: (held: Held) => Promise<T>): Promise<T>
}

export interface Lanes {
  /** Checks of one stage have their turns in the order in which they are seated. */
  seat(turn: Turn): Seat
}

/** Negative where the one comes before the other. */
export function compareTurns(one: Turn, other: Turn): number {
  return compareWaiting({ turn: one, stage: one.stage }, { turn: other, stage: other.stage })
}

/** Says whether a check may leave a part that serves nothing: it is judged when nothing else needs the part. */
export function mayStopParts(stage: Stage | undefined): boolean {
  return stage === 'banning' || stage === 'banning at the mint'
}

interface Place {
  readonly turn: Turn
  /** `due` is before all others. */
  readonly stage: AnyStage | 'due'
}

interface Waiting extends Place {
  start(): void
}

const rankOf = (stage: AnyStage | 'due') => (stage === 'due' ? -1 : stages.indexOf(stage))
const isAlone = ({ stage }: Turn) => rankOf(stage) > rankOf('again')
const waitsForExpiry = ({ stage }: Turn) => stage === 'expiry' || stage === 'expiry in its lane'
/** Those of several lanes keep each of them idle until the last is free: they come behind the others, unless they hand them back. */
const lanesBefore = ({ turn, stage }: Place) => (stage === 'expiry' ? -turn.lanes.length : turn.lanes.length)
const compareWaiting = (one: Place, other: Place) =>
  rankOf(one.stage) - rankOf(other.stage) || lanesBefore(one) - lanesBefore(other)
/** Most of a check of a client is waiting; more pages at once would wait for each other. */
const width: Readonly<Record<Lane, number>> = { mint: 1, backend: 1, signaling: 1, client: 6 }

export function createLanes(): Lanes {
  const underWay = new Map<Lane, number>()
  const seated = new Set<Turn>()
  let queue: readonly Waiting[] = []

  /** A second try has its lanes for itself. */
  const weightOf = (lane: Lane, { stage }: Pick<Waiting, 'stage'>) => (stage === 'again' ? width[lane] : 1)
  const isFree = (lane: Lane, waiting: Waiting) =>
    (underWay.get(lane) ?? 0) + weightOf(lane, waiting) <= width[lane]
  const isHeldBack = ({ turn, stage }: Waiting) =>
    [...seated].some(
      (other) =>
        (isAlone(turn) && !isAlone(other)) ||
        (stage === 'straining' && waitsForExpiry(other) && share(other, turn)),
    )
  const mayStart = (waiting: Waiting, place: number) =>
    lanesOf(waiting.turn).every((lane) => isFree(lane, waiting)) &&
    !isHeldBack(waiting) &&
    // A check that waits for several lanes would starve if others overtook it.
    !queue.slice(0, place).some((before) => share(before.turn, waiting.turn) && !isHeldBack(before))
  const change = (waiting: Waiting, sign: 1 | -1) => {
    for (const lane of lanesOf(waiting.turn))
      underWay.set(lane, (underWay.get(lane) ?? 0) + sign * weightOf(lane, waiting))
  }
  const proceed = () => {
    for (let next = queue.find(mayStart); next !== undefined; next = queue.find(mayStart)) {
      const started = next
      queue = queue.filter((one) => one !== started)
      change(started, 1)
      started.start()
    }
  }
  /** Resolves with how the lanes are given to others. */
  const hold = (turn: Turn, stage: Waiting['stage']) =>
    new Promise<() => void>((resolve) => {
      const free = () => {
        change(waiting, -1)
        proceed()
      }
      const waiting: Waiting = { turn, stage, start: () => resolve(free) }
      queue = [...queue, waiting].toSorted(compareWaiting)
      proceed()
    })
  const takeAs = async <T>(turn: Turn, stage: AnyStage, run: (held: Held) => Promise<T>): Promise<T> => {
    const free = await hold(turn, stage)
    let isHolding = true
    const held: Held = {
      handBack() {
        if (isHolding) free()
        isHolding = false
      },
      async inTurn(inside) {
        if (isHolding) return await inside()
        const freeAgain = await hold(turn, 'due')
        try {
          return await inside()
        } finally {
          freeAgain()
        }
      },
    }
    try {
      return await run(held)
    } finally {
      held.handBack()
    }
  }
  return {
    seat(turn) {
      seated.add(turn)
      return {
        take: (run) => takeAs(turn, turn.stage, run),
        takeAgain: (run) => takeAs(turn, isAlone(turn) ? turn.stage : 'again', run),
        [Symbol.dispose]() {
          seated.delete(turn)
          proceed()
        },
      }
    },
  }
}

function lanesOf(turn: Turn): readonly Lane[] {
  return isAlone(turn) ? laneNames : turn.lanes
}

function share(one: Turn, other: Turn): boolean {
  return lanesOf(one).some((lane) => lanesOf(other).includes(lane))
}
