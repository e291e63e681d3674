import type { Audit } from '../settings.ts';
import type { Form } from './needles.ts';
import type { Scanned } from './scan.ts';
import type { Window } from './window.ts';
export declare function reportPlain(audit: Audit, file: Scanned, window: Window): void;
export declare function reportDecoded(audit: Audit, file: Scanned, window: Window, form: Form, phase: number): void;
export declare function reportXored(audit: Audit, file: Scanned, offset: number, key: number): void;
