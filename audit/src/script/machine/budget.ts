/** Steps of a run: for each node that it comes to, and for each call. */
export const stepsOfNode = 3
export const stepsOfCall = 20
/** With the map of its properties, or of the names of a call. */
export const bytesOfThing = 96
export const bytesOfCall = 8
/** Places around another one, which a name is looked for in. */
export const placesInStep = 8

export const deepestCall = 120
export const mostYielded = 512
export const mostPasses = 20_000
/** Objects that inherit from each other. */
export const mostInherited = 32
/** Values that a loop takes out of an iterator of the script. */
export const mostTaken = 512
