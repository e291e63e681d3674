import type { FullResult, Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
/** Hands what the client's checks report to the command that has forked Playwright. */
export default class IpcReporter implements Reporter {
    onBegin(): void;
    onTestEnd(test: TestCase, result: TestResult): void;
    onError(error: TestError): void;
    onEnd({ status }: FullResult): void;
    printsToStdio(): boolean;
}
