import type { AuditResult } from '../finding.ts';
/** For people: findings by rule with what to do, then what was not audited, then what was. */
export declare function renderText({ audited, findings, gaps }: AuditResult): string;
