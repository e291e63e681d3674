declare const _default: import("../../src/check/check.ts").Check<never>;
export default _default;
