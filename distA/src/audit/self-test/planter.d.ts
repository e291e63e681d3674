import type { Encoding } from './encodings.ts';
/** Where in a format a canary belongs, and how it is written there. */
export interface Wish {
    readonly slot: string;
    readonly encoding: string;
    readonly key: string;
    /** The key as its encoding writes it. */
    readonly payload: Buffer;
}
/** A copy with canaries, and why some of them are not in it. */
export interface Planted {
    readonly bytes: Buffer;
    readonly refused: ReadonlyMap<Wish, string>;
}
/**
 * Puts canaries into a copy of a file, which stays valid for its format. Planters share no code with the audit's own
 * readers: one fault must not hide in both.
 */
export interface Planter {
    readonly format: string;
    recognises(name: string, bytes: Buffer): boolean;
    readonly slots: readonly {
        readonly slot: string;
        readonly encodings: readonly Encoding[];
    }[];
    /** @throws RangeError where the file's own tables do not hold */
    plant(bytes: Buffer, wishes: readonly Wish[]): Planted;
}
export declare const none: ReadonlyMap<Wish, string>;
export declare function refuseAll(bytes: Buffer, wishes: readonly Wish[], reason: string): Planted;
export declare function textOf({ payload }: Wish): string;
export declare function spliced(bytes: Buffer, at: number, removed: number, inserted: Buffer): Buffer;
