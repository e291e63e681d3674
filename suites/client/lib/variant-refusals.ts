/** Signaling that reports an end of the token in a frame, and closes then. */
export const frameBeforeClose = {
  signaling: {
    profile: {
      unauthorized: [{ close: [4401] }, { frame: { path: '$.error.code', equals: 401 } }],
      samples: { unauthorized: '{"error":{"code":401,"message":"the token has expired"}}' },
    },
  },
}
