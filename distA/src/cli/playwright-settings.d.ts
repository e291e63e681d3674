/** For a client that is a program. */
export declare const environment: NodeJS.ProcessEnv;
declare const _default: import("@playwright/test").PlaywrightTestConfig<{}, {}>;
export default _default;
