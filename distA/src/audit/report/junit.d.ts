import type { AuditResult } from '../finding.ts';
/** One test case for each finding and each gap, or a single passing one. */
export declare function renderJunit({ audited, findings, gaps }: AuditResult): string;
