// The times of the suite, each with its reason. A requirement's own times are in its file; those of a user are `limits`.

// Units

/** Milliseconds of a day. */
export const dayMs = 86_400_000
/** Seconds of a day. */
export const daySeconds = 86_400
/** Seconds of an hour. */
export const hourSeconds = 3600
/** The longest that a timer can hold: 2^31 − 1 milliseconds. */
export const longestTimerMs = 2_147_483_647
/** An hour: a larger number in a configuration was meant as milliseconds. */
export const mostConfiguredSeconds = 3600

// Requests and their limits

/** Longer than a second, since a network brings requests closer together than they were sent. */
export const paceSecondMs = 1100
/** The requests served in the last second show the pace that a part allows. */
export const rateWindowMs = 1000
/** A ban is looked at again so often, which seldom prolongs it. */
export const betweenBanLooksMs = 2_000
/** A part that starts again is connected to so often. */
export const betweenConnectionsMs = 250
/** An overload is often over within seconds. */
export const overloadSeconds = 0.5
/** Bans, limits on the rate and circuit breakers are over by then as a rule. */
export const usualOutageSeconds = 120
/** Sessions that are verified without a look at the login outlive a sign-out for so long (BACK-21, EXP-04). */
export const servedAfterSignOutSeconds = 10
/** A part that is down is asked something ordinary so often. */
export const betweenOutageLooksMs = 1_000
/** The pauses grow from this one, so that a limit which counts every try has a long time without one. */
export const firstOutagePauseMs = 1_000
/** The suite waits so long for a backend that has served no request yet: a busy machine recovers within it. */
export const startingBackendMs = 5_000
/** Commands announce a longer wait before a run. */
export const toldAfterMs = 3_000

// This machine

/** As long as most clients wait for an answer. */
export const standstillWindowMs = 8000
/** A timer of this length shows by its lateness how long the machine stood still. */
export const standstillBeatMs = 250
/** Timers are late by so much on any machine that has something to do. */
export const usualLatenessMs = 100
/** A machine on which timers are so late stood still. */
export const lateTimerMs = 500
/** The watchdog looks so often whether the event loop turns. */
export const watchdogBeatMs = 250
/** The parent reads so often which loops are blocked. */
export const betweenBlockLooksMs = 1000
/** The process that judges has so long to close its pages and programs. */
export const cancelMs = 2000
/** An exploration writes its results so far so often, unless a story breaks an invariant. */
export const betweenResultsMs = 1000

// Parts that the suite starts

/** A command of the user has so long to end by itself when the run is over. */
export const commandGraceMs = 5_000
/** A container has so long to end by itself. */
export const containerGraceSeconds = 1
/** A program that ended is started again after this time, as supervisors do. */
export const restartPauseMs = 200
/** The end of a process group is looked for so often. */
export const betweenSignalsMs = 50
/** An address that does not answer yet is asked so often. */
export const betweenProbesMs = 100
/** A gateway asks an upstream that it found dead again after ten seconds. */
export const recoveringGatewayMs = 30_000
/** A server that has started answers within this time. */
export const probeMs = 2_000

// Commands and hooks of the user

/** A part that has started gives sessions within this time: a login that failed is tried once more after it. */
export const betweenLoginsMs = 10_000
/** Tokens that differ by the second of the sign-in alone are two when they are further apart. */
export const nextSecondMs = 1_100
/** A command that failed is left alone for so long: each of many requests would wait for it anew. */
export const failedRenewalRestMs = 5000
/** As long as a deployment may take to change. */
export const hookSeconds = 60
/** A console that is signed in to by a browser takes less. */
export const consoleCommandSeconds = 60
/** A command that brings a provider into a state takes less. */
export const stateCommandSeconds = 30

// Tokens

/** Clocks of two machines that are kept in time differ by less. */
export const mostSkewMs = 30_000
/** A lifetime for requests that name none, where the mint demands one (MINT-09 judges that). */
export const demandedLifetimeSeconds = 900
/** Wall clock and monotonic clock may differ by this much over a wait. */
export const clockDriftMs = 1000
/** `exp`, `iat` and the `Date` header each have whole seconds. */
export const roundedSeconds = 2
/** A backend that keeps its tokens would answer the second try with one of a control that lives longer. */
export const controlLifetimeSeconds = 3

// Signaling

/** A peer answers a close within this time; then the connection is cut. */
export const closeMs = 250
/** The body of a refused upgrade follows its head within this time. */
export const refusalBodyMs = 1000
/** The longest that a connection takes to end, with some slack. */
export const endingMs = 1500
/** An adapter may take so long to settle after its signal has aborted, and to close. */
export const adapterGraceMs = 1000
/** An attempt without an end is watched for so long. */
export const watchedAttemptMs = 1_000
/** A silent service is watched for so long: it may still wait for something, and close the connection then. */
export const watchedSilenceMs = 12_000
/** A refusal comes later under the load of a whole run: quiet for less might still end in one. */
export const detectedQuietMs = 2_000

// Clients

/** The clock of a client is moved on by so little at first that short delays show exactly. */
export const firstClockStepMs = 50
/** Messages under way get so long to arrive before the client's clock goes on. */
export const arrivalMs = 50
/** A state that no event announces, such as the state that a client shows, is looked at after this time first. */
export const firstPollMs = 50
/** It is looked at so often later. */
export const lastPollMs = 250
/** A client that has sent nothing for so long has nothing more to send; one that never pauses is not waited for. */
export const quietClientMs = 700
/** The longest that such a silence is waited for. */
export const longestQuietMs = 5000
/** An action may take so long: a login may go through several pages. */
export const clientStepMs = 60_000
/** A person has more than one thing to do. */
export const observedStepMs = 600_000
/** A step that has to happen before anything is judged gets so long: a slow app or a busy machine loses nothing by it. */
export const leastControlSeconds = 30
/** Longer than most clients give their backend. */
export const longerThanClientsWaitSeconds = 8
/** A client that answers no ping within this time never does. */
export const pongSeconds = 2
/** A service that says nothing to a client that it accepts is not waited for any longer. */
export const welcomeMs = 1000
/** A connection on which nothing has happened for so long is settled. */
export const settledMs = 200
/** A message that arrives later counts as lost, and is not waited for again. */
export const lostMessageMs = 5000
/** The body of an answer may take so long to follow its head. */
export const bodyMs = 100
/** A page on a busy machine takes many times its usual second to load. */
export const navigationMs = 60_000
/** So it does for an action. */
export const pageActionMs = 60_000
/** A page that reloads again and again within this time does so for ever. */
export const reloadWindowMs = 10_000
/** A request that arrives later waits for something else than this machine. */
export const unsentRequestMs = 20_000
/** As long as a page has: on a busy machine, a runtime such as a JVM takes many times its usual second. */
export const programReadyMs = 60_000
/** A program has so long to end by itself. */
export const programEndMs = 2000

// Before a run

/** A clock that differs by less disturbs no requirement. */
export const toleratedOffsetSeconds = 5
/** From here on lifetimes and expiry would be judged wrongly. */
export const misleadingOffsetSeconds = 30
/** The search for a profile takes at most so long: four attempts run at once, and most are watched for a second. */
export const longestSearchMs = 60_000
/** A backend may keep what it gets before the run, and hand it out while it is judged. */
export const preflightLifetimeSeconds = 3
/** A mint that is there answers within this time. */
export const mintProbeSeconds = 3
/** The lifetime that is asked for first: within every range that the specification's examples name. */
export const askedLifetimeSeconds = 60
/** About as long as a run takes that waits for expiry. */
export const usualRunSeconds = 120
/** A run has hardly begun by then. */
export const uselessSessionSeconds = 30
/** Services decide within this time, on a busy machine, too. */
export const generousTimeoutMs = 10_000
/** A time without a failure that services do with. */
export const usualQuietMs = 1_000
/** A rejection is waited for so long after the time that the profile takes for success. */
export const lateRejectionMs = 5_000
/** A close of the other socket for the same reason comes within this time. */
export const togetherMs = 500
/** With TLS 1.3 a server says only after the handshake that it wants another certificate of its client, or one at all. */
export const tlsAlertMs = 250
/** A backend that shares a token between users for a moment has dropped it after this time. */
export const forgottenTokenMs = 3_000
/** The longest time in which the token of another user is waited out; mints may give none under a minute. */
export const longestForeignTokenMs = 65_000
