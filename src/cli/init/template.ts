/**
 * The configuration that `twotoken init` writes: every key of the file. What is switched off begins with `#key`,
 * without a space, so that taking the `#` away leaves valid YAML; `# text` with a space is a remark.
 */
export const configurationTemplate: string = `# yaml-language-server: $schema=./node_modules/twotoken/schema/twotoken.schema.json
#
# Describes the implementation that twotoken judges.
# Any value may be \${NAME}, taken from the environment; write $\${ for a literal \${.
# A credential may also be { command: "…" }: a program that prints it.
# A line that begins with #key is disabled: remove the # to enable it, with the lines below it.
# Paths are relative to this file. A missing part is reported as untested.

name: my-implementation                    # how reports call this implementation

mint:                                      # the service's mint endpoint
  url: \${MINT_URL}                         # base URL; the suite appends /api/v1/calling/token
  apiKey: \${CALLING_API_KEY}               # server key of the project
  #otherProjectKey: "\${OTHER_PROJECT_KEY}" # key of a second project
  #keys:                                   # keys of accounts in special states
    #trialEnded: "\${KEY_TRIAL_ENDED}"      # key whose trial is over (402)
    #suspended:                            # key of a suspended project (403); this is the long form of any of the three
      #key: "\${KEY_SUSPENDED}"             # the key itself
      #attested: true                      # you vouch for the state: a token issued is then a violation
    #capped: "\${KEY_CAPPED}"               # key that has used up its mint cap (429)
  #minTtlSeconds: 60                       # shortest lifetime that the service grants; 1 if it has no floor
  #consoleToken:                           # a tool that prints test tokens of the console
    #command: ./console-token              # told the userId in TWOTOKEN_USER_ID, and a lifetime in TWOTOKEN_TTL_SECONDS
  #userIds: { pattern: uuid }              # for whom it issues tokens, if not for any id; or { from: [u-1, u-2] }

backend:                                   # the customer's backend
  url: \${BACKEND_URL}                      # its token route, in full
  method: POST                             # POST or GET
  sessions:                                # users that are signed in
    alice:                                 # the first user
      token: \${ALICE_SESSION}              # her sessionToken; for one that ends within a run:
      #  { command: "./login alice", freshEverySeconds: 45 } runs the command again when it is that old
      userId: \${ALICE_USER_ID}             # the id that the backend mints for
      #cookie: "sid=\${ALICE_COOKIE}"       # the cookie of the same login, if the backend takes one besides the bearer
    bob:                                   # the second user
      token: \${BOB_SESSION}                # his sessionToken
      userId: \${BOB_USER_ID}               # the id that the backend mints for
    #aliceSecondDevice:                    # the first user, signed in once more
      #token: "\${ALICE_SECOND_SESSION}"    # the sessionToken of that device
      #userId: "\${ALICE_USER_ID}"          # the same id as on the first device
    #expired:                              # a session past its end
      #token: "\${EXPIRED_SESSION}"         # its sessionToken
    #signedOut:                            # a session that its user has ended
      #token: "\${SIGNED_OUT_SESSION}"      # its sessionToken
    #otherApp:                             # what the same login issued to another app
      #token: "\${OTHER_APP_TOKEN}"         # an access token
    #idToken:                              # what tells an app who signed in
      #token: "\${ID_TOKEN}"                # an ID token
    #refreshToken:                         # what only the login may take
      #token: "\${REFRESH_TOKEN}"           # a refresh token
    #odd:                                  # users whose ids hold quotes, #, % or other scripts
      #- { token: "\${ODD_SESSION}", userId: "o'neil#1" } # such a user
  #request:                                # what every call carries besides the session
    #headers: { X-CSRF-Token: "\${CSRF}" } # headers, such as a CSRF token or a tenant
    #cookies: { csrf: "\${CSRF}" }         # cookies
    #query: { app: web }                   # query parameters, added to those of the url
    #body: { json: {} }                    # fields of a JSON body; {} is an empty object with its content type
  #recordRateLimit: true                   # sends 60 requests of alice within a minute, which may lock her account
  #sessionJwks: ./session-keys.json        # public keys of sessions that are JWTs, a URL or a file
  #fakeMint:                               # only if this backend is configured to use the suite's mint double
    #listen: 127.0.0.1:9400                # where the double listens
    #apiKey: "\${BACKEND_API_KEY}"          # the key that the backend was given
    #tls: true                             # https; plain http leaves BACK-16 untested
    # CA=twotoken-results/mint-double-ca.pem is new in every run, before start: one of these makes the backend trust it
    #   NODE_EXTRA_CA_CERTS=$CA (Node.js), REQUESTS_CA_BUNDLE=$CA or SSL_CERT_FILE=$CA (Python), SSL_CERT_FILE=$CA (Ruby, Go)
    #   php -d curl.cainfo=$CA -d openssl.cafile=$CA, and java -Djavax.net.ssl.trustStore=… (docs/backend.md)

signaling:                                 # the hosted signaling service
  url: \${SIGNALING_URL}                    # wss://…
  #allowInsecureTransport: false           # true: permits unencrypted ws:// beyond loopback
  #callbackUrl: http://198.51.100.7:9460   # where signaling reaches this machine; the suite listens on that port
  profile:                                 # how this service behaves where the specification leaves a choice
    carriage:                              # where the calling token travels; the other forms are
      in: header                           #   { in: subprotocol, protocols: ["calling.v2", "bearer.{jwt}"] }
      name: Authorization                  #   { in: query, name: access_token } and { in: cookie, name: calling_token }
      template: "Bearer {jwt}"             #   { in: message, template: '{"token":"{jwt}"}', after: open }
    #subprotocols: [calling.v2]            # offered in every attempt, besides those of the carriage
    #path: "/{random}/websocket"           # behind that of url; {random} is another text in every attempt
    #headers: { Origin: "https://app.example.com" } # sent in every upgrade
    #opening: ['{"protocol":"json"}']      # sent as soon as the socket is open
    #again: '{"type":"renew","token":"{jwt}"}' # sends a new token on an open socket
    #binary: base64                        # frames are binary; messages and signs in base64 (docs/adapter.md)
    #ticket:                               # the calling token is exchanged for what then travels as {jwt}
      #url: https://signal.example.com/ticket # where
      #method: POST                        # how
      #header: Authorization               # where the calling token travels
      #token: $.ticket                     # the ticket in the JSON of the response
    declaredUser: { in: none, detected: true } # where the client states its userId: none, carriage, query, header or message;
      # detected: not confirmed by a person. Write { in: none } if the protocol has no place for it
    success:                               # signs that the token was accepted; { quietOpenMs: 800 } is one too
      - frame: { path: $.type, equals: welcome }
      #- text: { startsWith: "+OK" }       # for a protocol without JSON
    failure:                               # signs that it was refused
      - http: [401, 403]
      - close: [4401]
    unauthorized:                          # which of them mean 401
      - http: [401]
      - close: [4401]
    #samples:                              # what a double sends to a client under test
      #success: '{"type":"welcome"}'       # accepted
      #unauthorized: '{"error":{"code":401}}' # refused as 401
    #timeoutMs: 8000                       # how long an attempt may take without a sign
    #settleMs: 300                         # how long the socket is watched after success
  #adapter: ./signaling-adapter.mjs        # instead of the profile: a module that exports connect; serve is the double for clients

#token:                                    # where to find the token and its userId
  #field: auto                             # the token in the mint's body: auto or a JSONPath
  #userIdClaim: auto                       # the userId in the token: auto, a claim's name or a JSONPath
  #jwks: ./jwks.json                       # the service's public keys, a URL or a file
  #signWith:                               # a key that a test deployment of signaling trusts
    #alg: RS256                            # its algorithm
    #privateKey: ./test-key.pem            # PKCS#8 PEM or JWK; for HS256 to HS512: secret: "\${SECRET}"

#client:                                   # the app under test, as a web page (or a program, or a device)
  #url: http://127.0.0.1:5173              # its address
  #driver: ./client-driver.mjs             # the module that signs in, connects and signs out
  #command: ./client --headless            # instead of url and driver: a program that speaks the line protocol
  #tls: false                              # true: the doubles of a program or a device speak https and wss
  #observe:                                # judges a device from its traffic: run --observe, or with a command as well
    #proxy: 0.0.0.0:9451                   # the HTTP proxy that you set on it; or listen: the doubles' address for the app
    #forwardUnread: ["*.example.net"]      # hosts of its system, not of the app: forwarded unread, and not judged
  #users:                                  # users that the driver can sign in, with anything that it needs
    #alice: { userId: u-alice }            # the first user
    #bob: { userId: u-bob }                # the second user
  #backendUrl: "**/calling/token"          # glob of the token route, without query
  #signalingUrl: "wss://signal.example/**" # glob of the signaling address, without query
  #ownHosts: ["*.example.com"]             # your other hosts, to which the session may be sent
  #serviceHosts: [media.example.com]       # hosts of the calling service besides signaling, which get the JWT over HTTP
  #browser: /usr/bin/chromium              # the browser to use (default: an installed Chromium or Chrome)

#bundle:                                   # the artefacts that you ship
  #paths: [dist]                           # files and folders to audit
  #mintHost: api.example.com               # the mint's host, or host:port
  #key: { prefix: ac_live_, minLength: 16 } # format of a server key: its prefix, and the minimum length after it

#start:                                    # lets the suite start and stop the implementation
  #compose: docker-compose.yml             # a compose file; or command: "npm run dev", or containers:
  #readyTimeoutSeconds: 60                 # how long the start may take

#hooks:                                    # commands for what only an operator can do; exit code 0: done
  #signOut:                                # signs out the session in TWOTOKEN_SESSION
    #command: ./ops sign-out               # a shell command, run in this folder
    #session: "\${SESSION_TO_END}"         # which session (default: aliceSecondDevice)
  #revokeKey:                              # revokes the API key in TWOTOKEN_KEY
    #command: ./ops revoke-key             # a shell command
    #key: "\${KEY_TO_REVOKE}"              # which key (default: otherProjectKey)
  #suspendProject:                         # suspends the project of the API key in TWOTOKEN_KEY
    #command: ./ops suspend                # a shell command
    #key: "\${KEY_TO_SUSPEND}"             # a key of a project that nothing else needs
  #rotateKeys:                             # replaces the key that signs calling tokens
    #command: ./ops rotate                 # a shell command

#logs: [./backend.log]                     # log files of the parts, to be searched for secrets
#environment: [ADMIN_TOKEN, AWS_*]         # variables for hooks, drivers, adapters, the client and start.command
#stories: [./stories/EXP-06.json]          # stories that twotoken explore has found, for run to tell again

#absent:                                   # what this implementation lacks
  #- what: trial                           # or mintCap, suspension, secondProject, jwks, hooks, logs, callback, …
    #reason: paid plans only               # for the reader of the report

#limits:                                   # bounds on time and size
  #requestSeconds: 10                      # a whole exchange
  #bodyBytes: 1048576                      # a body or a frame
  #backendAnswerSeconds: 15                # a backend's response while the mint does not respond
  #neverSeconds: 120                       # no answer for so long counts as never: a violation
  #idleConnections: 500                    # connections without a credential to hold, while a user joins
  #maxTtlWaitSeconds: 90                   # longest token lifetime to wait for
  #clientSettleSeconds: 15                 # a client's getAuthToken while the backend does not respond
  #reconnectSeconds: 60                    # until a client mints again
  #leewayWarnSeconds: 60                   # accepted after expiry for longer: a warning
  #leewayFailSeconds: 300                  # accepted after expiry for longer: a violation
  #maxMints: 1000                          # limit of calling tokens issued by a run
  #pace:                                   # how fast the suite's own requests follow each other, by part
    #mint: { perSecond: 5, atOnce: 2 }     # begun in a second at equal distances, and under way at once
    #backend: { perSecond: 5, atOnce: 2 }  # the pace of the mint where absent
    #signaling: { perSecond: 5, atOnce: 2 } # connections
  #patienceSeconds: 20                     # how long rate limits (429) are waited out in all

#tls:                                      # for all connections of the suite
  #ca: ./ca.pem                            # CA certificates to trust in addition
  #client: { cert: ./client.pem, key: ./client-key.pem } # certificate of the suite itself (mutual TLS)

#proxy:                                    # through which requests leave this network (default: HTTPS_PROXY, NO_PROXY)
  #url: "\${PROXY_URL}"                    # http://user:password@proxy.example.com:3128
  #bypass: ["*.internal"]                  # hosts that are reached directly

#waivers:                                  # findings that are known and accepted for a while
  #- id: SIG-08                            # the requirement
    #reason: the close code lands in March # why it is accepted
    #issue: https://example.com/issues/1   # issue that tracks it
    #expires: 2027-03-31                   # the last day on which it is valid
`
