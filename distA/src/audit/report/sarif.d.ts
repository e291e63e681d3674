import type { AuditResult } from '../finding.ts';
/** SARIF 2.1.0. A finding inside a container points at the outermost file and names the place in its message. */
export declare function renderSarif({ audited, findings, gaps }: AuditResult): string;
