/** Headers in which gateways and proxies name the user whom they have authenticated, and whom a client can name as well. */
export const userHeaders = [
  'X-User-Id',
  'X-User',
  'X-Forwarded-User',
  'X-Remote-User',
  'Remote-User',
  'X-Auth-Request-User',
  'X-Authenticated-User',
  'X-Original-User',
] as const

/** Those of single products, and rarer names. */
export const rareUserHeaders = [
  'X-Auth-User',
  'X-Auth-User-Id',
  'X-WebAuth-User',
  'X-Authenticated-Userid',
  'X-Consumer-Username',
  'X-Consumer-Custom-Id',
  'X-Forwarded-Preferred-Username',
  'X-Amzn-Oidc-Identity',
  'X-Ms-Client-Principal-Id',
  'X-Goog-Authenticated-User-Id',
] as const
