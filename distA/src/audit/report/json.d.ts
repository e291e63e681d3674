import type { AuditResult } from '../finding.ts';
/** The machine-readable report; other programs rely on its shape. */
export declare function renderJson({ audited, findings, gaps }: AuditResult): string;
