/** Which other checks may have caused what a check meets: they run beside it, or only before it; or it is the only one. */
export type Company = 'now' | 'before' | 'never'
