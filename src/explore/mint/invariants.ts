import type { Invariant } from '../engine/subject.ts'

/** Statements that must be true of the mint after every step, whatever came before. */
export const mintInvariants = [
  {
    id: 'EXP-41',
    role: 'mint',
    level: 'MUST',
    clauses: ['2.2', '7'],
    standards: ['OWASP ASVS 5.0, 8.2.1'],
    title: 'rejects keys that are almost right, whatever came before',
    why: 'A key that is known by its beginning, or a verdict that is kept, lets others mint in the name of the project.',
    how: 'No key, and keys that differ from the right one, must get no token.',
    generalises: ['MINT-04', 'MINT-05'],
  },
  {
    id: 'EXP-42',
    role: 'mint',
    level: 'MUST',
    clauses: ['2.1.4', '2.2'],
    standards: ['OWASP ASVS 5.0, 15.4.1'],
    title: 'issues for the user of the request only',
    why: 'A token for the user of another request lets one user take the calls of the other.',
    how: 'A token must name the userId of its request, and no token may come for two users.',
    generalises: ['MINT-12', 'MINT-13', 'MINT-24'],
  },
  {
    id: 'EXP-43',
    role: 'mint',
    level: 'MUST',
    clauses: ['4.1'],
    standards: ['OWASP ASVS 5.0, 6.1.1'],
    title: 'serves the right key, whatever was rejected before',
    why: 'A mint that keeps a rejection in mind ends all calls of the project.',
    how: 'An ordinary request with the right key must get a token within limits.neverSeconds, and none of the next twelve may then be rejected.',
    generalises: ['MINT-01'],
  },
  {
    id: 'EXP-44',
    role: 'mint',
    level: 'MUST',
    clauses: ['2.2'],
    standards: ['OWASP ASVS 5.0, 15.4.1'],
    title: 'grants a lifetime by its own request only',
    why: 'A lifetime left over from another request makes tokens live for longer than the backend asked.',
    how: 'A lifetime that is asked for must give what it gives when asked first. Tokens that end at a mark they share, such as each fifth minute, may differ by it.',
    generalises: ['MINT-10'],
  },
  {
    id: 'EXP-45',
    role: 'mint',
    level: 'MUST',
    clauses: ['7'],
    standards: ['OWASP ASVS 5.0, 2.3.2', 'OWASP ASVS 5.0, 8.3.2'],
    title: 'rejects keys without a right to mint at any time',
    why: 'A limit that a few more requests overcome is none.',
    how: 'A key of mint.keys that is rejected when asked first must be rejected later too; so must the key of hooks.revokeKey: from limits.leewayWarnSeconds on it warns, from limits.leewayFailSeconds on it fails.',
    generalises: ['MINT-15', 'MINT-16', 'MINT-17', 'MINT-21'],
  },
] as const satisfies readonly Invariant[]

export type MintInvariant = (typeof mintInvariants)[number]['id']
