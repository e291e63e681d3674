import type { Findings } from './init-findings.ts';
/** What a user knows and no file tells. An address that is null is one that there is not. */
export interface Answers {
    readonly name: string;
    readonly mintUrl: string | null;
    readonly backendUrl: string | null;
    readonly signalingUrl: string | null;
}
export interface Dialogue {
    /** Resolves with the line that was typed, without its end. */
    ask(question: string): Promise<string>;
    say(text: string): void;
}
/** Four questions; Enter takes what is proposed, `-` leaves the part out. No secret is asked for. */
export declare function answersTo(dialogue: Dialogue, findings: Findings, folder: string): Promise<Answers>;
