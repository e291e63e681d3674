declare const _default: import("../../src/check/check.ts").Check<"client" | "clientBob" | "signalingDouble">;
export default _default;
