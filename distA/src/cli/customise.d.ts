import type { Findings } from './init-findings.ts';
import type { Answers } from './init-questions.ts';
/** Puts what was found and answered into the template; what there is not is switched off and stays to be read. */
export declare function customised(template: string, answers: Answers, { variables, composeFile }: Findings): string;
