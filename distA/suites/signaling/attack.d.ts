import type { Judge } from '../../src/check/judge.ts';
import type { CallingTokens } from '../../src/parts/calling-tokens.ts';
import type { Signaling } from '../../src/parts/signaling.ts';
import type { Attempt } from '../../src/signaling/attempt.ts';
import { type Forgery, type Original } from '../../src/tokens/forge.ts';
/** A credential that signaling must not accept, and whom its bearer claims to be. */
export interface Attack {
    /** A noun: "a token with an empty signature", "no credential". */
    readonly what: string;
    readonly token: string | null;
    /** Undefined: nobody is declared. */
    readonly userId: string | undefined;
}
/** Tries every attack; all of them must be refused. What never reached the service, or could not be sent, says so. */
export declare function mustRefuse(attacks: readonly Attack[], signaling: Signaling, judge: Judge): Promise<void>;
export interface Tried {
    readonly attack: Attack;
    readonly made: Attempt;
}
/**
 * Where some are refused and others meet with silence, the service may only have been busy: those are tried once more,
 * fewer at a time. One that refuses by silence alone is not made to do so twice.
 */
export declare function tryAll(attacks: readonly Attack[], signaling: Signaling): Promise<Tried[]>;
export declare function asAttacks(forgeries: readonly Forgery[], of?: string): Attack[];
/** A fresh calling token, and what forgeries can be made from: a made-up JWS where it cannot be taken apart. */
export interface Specimen {
    readonly jwt: string;
    readonly original: Original;
    readonly readable: boolean;
}
/** A token that the service has not seen yet. */
export declare function unseen(tokens: CallingTokens): Promise<Specimen>;
/** A token that the service has just accepted: what it may remember is part of what is attacked. */
export declare function seen(tokens: CallingTokens, signaling: Signaling): Promise<Specimen>;
/** One specimen that the service has accepted and one that it has never seen, with what to call their forgeries. */
export declare function specimens(tokens: CallingTokens, signaling: Signaling): Promise<readonly (Specimen & {
    readonly name: string;
})[]>;
