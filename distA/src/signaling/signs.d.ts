import type { FailureSign, MessageSign, SuccessSign } from '../configuration/configuration.ts';
import type { SignalingEvent } from './event-log.ts';
/** The first of the signs that the event shows. Time alone shows `quietOpenMs`, no event does. */
export declare function signIn<Sign extends SuccessSign | FailureSign>(signs: readonly Sign[], event: SignalingEvent): Sign | undefined;
/** A sign in words, for the one who reads what happened. */
export declare function frameShowing(sign: MessageSign): string;
