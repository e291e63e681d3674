const frame = { frame: { path: '$.error.code', equals: 401 } }

/** Signaling that reports an end of the token in a frame alone. */
export const frameAlone = { signaling: { profile: { failure: [frame], unauthorized: [frame] } } }

/** Signaling that reports an end of the token in a frame, and closes then. */
export const frameBeforeClose = {
  signaling: {
    profile: {
      unauthorized: [{ close: [4401] }, frame],
      samples: { unauthorized: '{"error":{"code":401,"message":"the token has expired"}}' },
    },
  },
}
