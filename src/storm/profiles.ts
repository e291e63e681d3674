/** Events that meet all users at once. Every command line is read with this list, so that it needs no schema. */
export const profiles = ['steady', 'expiry', 'restart', 'cap'] as const
export type Profile = (typeof profiles)[number]
