/** The type of the annotation by which a check says for how many seconds it is about to wait. */
export const waitingAnnotation = 'twotoken-waiting';
/** The variable by which the task gets to Playwright and its workers, as JSON. */
export const taskVariable = 'TWOTOKEN_TASK';
/** Under this name a check of the client attaches its report. */
export const reportAttachment = 'twotoken';
