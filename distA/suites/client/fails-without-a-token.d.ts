declare const _default: import("../../src/check/check.ts").Check<"client" | "signalingDouble">;
export default _default;
