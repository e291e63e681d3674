/** Headers in which gateways and proxies name the user whom they have authenticated, and whom a client can name as well. */
export const userHeaders = [
  ...['X-User-Id', 'X-UserId', 'X-User', 'X-Forwarded-User', 'X-Remote-User', 'Remote-User'],
  ...['X-Auth-User', 'X-Auth-Request-User', 'X-Authenticated-User', 'X-Original-User'],
]
