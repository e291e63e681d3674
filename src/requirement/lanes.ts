// One check at a time drives a part: so a scripted double, a count of calls or a silent window belongs to one check. A check that
// drives several parts holds the lane of each; clients have doubles of their own, so that some run at once.

export const laneNames = ['mint', 'backend', 'signaling', 'client'] as const
export type Lane = (typeof laneNames)[number]

/** The order within a lane. Those behind `again` run alone, when all others are settled. */
const stages = [
  /** Waits for the end of a token, and begins first. */
  'expiry',
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

/** Negative where the one comes before the other; a check without a stage is an ordinary one. */
export function compareStages(one: Stage = 'ordinary', other: Stage = 'ordinary'): number {
  return rankOf(one) - rankOf(other)
}

interface Waiting {
  readonly turn: Turn
  readonly rank: number
  start(): void
}

const rankOf = (stage: AnyStage) => stages.indexOf(stage)
const isAlone = ({ stage }: Turn) => rankOf(stage) > rankOf('again')
/** Before all who wait. */
const due = -1
/** Most of a check of a client is waiting; more pages at once would wait for each other. */
const width: Readonly<Record<Lane, number>> = { mint: 1, backend: 1, signaling: 1, client: 6 }

export function createLanes(): Lanes {
  const underWay = new Map<Lane, number>()
  const seated = new Set<Turn>()
  let queue: readonly Waiting[] = []

  /** A second try has its lanes for itself. */
  const weightOf = (lane: Lane, { rank }: Pick<Waiting, 'rank'>) =>
    rank === rankOf('again') ? width[lane] : 1
  const isFree = (lane: Lane, waiting: Waiting) =>
    (underWay.get(lane) ?? 0) + weightOf(lane, waiting) <= width[lane]
  const isHeldBack = ({ turn, rank }: Waiting) =>
    [...seated].some(
      (other) =>
        (isAlone(turn) && !isAlone(other)) ||
        (rank === rankOf('straining') && other.stage === 'expiry' && share(other, turn)),
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
  const hold = (turn: Turn, rank: number) =>
    new Promise<() => void>((resolve) => {
      const free = () => {
        change(waiting, -1)
        proceed()
      }
      const waiting: Waiting = { turn, rank, start: () => resolve(free) }
      queue = [...queue, waiting].toSorted((one, other) => one.rank - other.rank)
      proceed()
    })
  const takeAs = async <T>(turn: Turn, stage: AnyStage, run: (held: Held) => Promise<T>): Promise<T> => {
    const free = await hold(turn, rankOf(stage))
    let isHolding = true
    const held: Held = {
      handBack() {
        if (isHolding) free()
        isHolding = false
      },
      async inTurn(inside) {
        if (isHolding) return await inside()
        const freeAgain = await hold(turn, due)
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
