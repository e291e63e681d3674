import type { Redactor } from '../evidence/redact.ts';
/**
 * A Playwright trace without secrets: what is known is redacted everywhere, and headers, cookies, bodies and queries of
 * its network log are left out. Of what pages loaded it keeps what shows how they looked; `left-out.txt` names the rest.
 */
export declare function redactedTrace(trace: Buffer, redactor: Redactor): Buffer;
