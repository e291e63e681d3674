import type { Verdict } from '../../check/verdict.ts';
/** A sign for each verdict, so that nothing rests on colour alone. */
export declare const glyphs: Readonly<Record<Verdict, string>>;
/** A section with a heading that can be linked to; nothing where there is nothing to say. */
export declare function section(id: string, title: string, content: string): string;
/** Redacted text, with each secret in the colour of its kind. */
export declare function withSecrets(text: string): string;
/** A verdict as a small plate. */
export declare function plate(verdict: Verdict): string;
/** A reference to a requirement on this page. */
export declare function linkTo(id: string): string;
/** An id that a fragment can name: those of pacts hold spaces. */
export declare function anchorOf(id: string): string;
/** A table that can be scrolled by keyboard where it is too wide. */
export declare function scrollable(label: string, table: string): string;
export declare function plural(count: number, one: string, many?: string): string;
