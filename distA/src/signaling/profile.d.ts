import type { SignalingProfile } from '../configuration/configuration.ts';
/** Whether the client states its userId besides the token that holds it. */
export declare function declaresUser({ carriage, declaredUser }: SignalingProfile): boolean;
/**
 * Why the profile cannot tell success from failure, as a clause; null where it can. A success sign tells nothing
 * where the same sign is also a failure, or is what the service sends before it has seen the token.
 */
export declare function missingOracle(profile: SignalingProfile): string | null;
/** Throws a TwotokenError where no attempt could ever be made or judged as the profile says. */
export declare function checkProfile(url: string, profile: SignalingProfile): void;
