// Words of protocols and of common frameworks, as their errors use them. Each is lower case; a name such as
// `NullPointerException` is made of them.

/** HTTP, its header fields, its status phrases, addresses, HTML, WebSocket, MQTT, XMPP and Socket.IO. */
const protocols = `
1xx 2xx 3xx 4xx 5xx
http https ws wss tcp udp tls ssl dns ip ipv4 ipv6 url uri urls uris sni alpn get head post put patch delete options trace
connect accept encoding language charset ranges age allow alt svc authorization authenticate cache control clear site
data content disposition length location range security policy type cookie cookies cors cross origin embedder opener
resource date device memory dnt downlink early etag ect expect expires forwarded from host hsts if match none modified
since unmodified keep alive last link max forwards mode nel origin permissions pragma priority proxy public private
store must revalidate stale while error transform immutable smaxage referer referrer refresh report retry after
rate limit ratelimit remaining reset rtt save dest fetch site user sec gpc websocket protocol extensions
server timing set sourcemap strict transport subdomains preload sts te trailer transfer chunked identity upgrade insecure
requests agent vary via want warning xhr csrf xsrf token requestid correlation id traceparent tracestate powered by
frame options sniff nosniff xss protection download samesite httponly secure lax path domain realm basic bearer digest
gzip br deflate zstd utf8 utf16 utf ascii iso latin1 text plain html xml json form urlencoded multipart
boundary octet stream application javascript image png jpeg gif svg css wasm charset quality zero
ok created accepted authoritative reset partial multi reported im moved permanently found permanent temporary redirect bad
request unauthorized payment required forbidden method not allowed acceptable timeout conflict gone precondition
failed too large payload long unsupported media satisfiable expectation teapot misdirected unprocessable entity
content locked dependency many header fields unavailable legal reasons internal implemented gateway service version
supported variant negotiates insufficient storage loop detected extended network authentication
doctype href src rel lang dir class style div span head body title meta script noscript main nav section article header
footer h1 h2 h3 h4 h5 h6 ul ol li dl dt dd pre code br hr img td tr th table tbody thead em strong small sup viewport
width height initial scale robots noindex nofollow center bgcolor color font size align button input label hidden
localhost loopback com org net dev io example www api app auth login logout callback cdn static assets favicon ico
v1 v2 v3 h2 h3 x509 tls1 tlsv1 rsa ecdsa ecdhe aes gcm sha1 sha256 sha384 sha512 md5 hmac base64 base64url hex
upgrade handshake ping pong pings upgrades sid polling transports eio socketio engineio websocket sockjs subprotocol
close closed closing going away abnormal closure invalid frame payload mandatory extension bad gateway try again later
connack suback puback unsuback pingresp disconnect subscribe publish unsubscribe clientid qos retain will topic mosquitto
xmpp jabber jid sasl stanza presence iq message mechanism mechanisms features starttls bind failure success
malformed unauthorised improper addressing saslprep aborted stream xmlns ietf urn params namespace etherx
gmt utc cet est pst am pm mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec monday tuesday
wednesday thursday friday saturday sunday january february march april june july august september october november
december ms sec secs min mins hr hrs kb mb gb px rem pt
`

/** JOSE, OAuth, and what a token service says about tokens. */
const tokens = `
jwt jwts jws jwe jwk jwks jwa jose alg typ kid jku jwk x5u x5c x5t x5t256 crit cty enc zip b64 iss sub aud exp nbf iat jti
hs256 hs384 hs512 rs256 rs384 rs512 ps256 ps384 ps512 es256 es384 es512 es256k eddsa ed25519 ed448 x25519 none dir
a128kw a256kw a128gcm a256gcm a128cbc a256cbc oct okp ec crv kty use ops sig p256 p384 p521 secp256k1 x y d
oauth oauth2 oidc openid scope scopes claim claims audience issuer subject expiry expired expires expiration issued
signature signatures signing signer unsigned verify verified verification verifier verifying decode decoded
decoding decoder malformed invalid token tokens access refresh bearer session sessions credential credentials grant
client secret mint minted minting minter calling signaling signalling call caller callee user userid ttl seconds
ttlseconds jsonwebtoken passport guard guards unauthenticated unauthorized revoked blacklisted tampered kms keyset
nonce pkce verifier challenge introspect introspection idp sso saml tenant jwtdecode jsonwebtokens pyjwt nimbus jjwt
authlib simplejwt firebase cognito auth0 keycloak okta clerk supabase lcobucci lexik tymon devise warden doorkeeper
`

/** Names of languages, frameworks and their parts: classes, files, functions. */
const frameworks = `
node js mjs cjs ts tsx jsx py rb php java kt go rs cs exs ex jar vue json yaml yml toml lock env npm pnpm yarn bun deno
dist lib src bin app apps api pkg vendor index main server client util utils common core internal internals config configs
modules module loader loaders esm cjs compile compiled runtime task process ticks rejections promises promise async await
anonymous eval native object function array string number boolean undefined null nan symbol bigint map regexp buffer
error errors errno syscall typeerror rangeerror syntaxerror referenceerror aggregateerror err stack stacktrace trace cause
exception exceptions throw thrown throws throwable unhandled uncaught rejection catch finally callback next done
req res ctx args argv params param query body raw parser parse parsed stringify position column col line lines char
middleware middlewares handler handlers handle layer route routes router routing dispatch mount listener listeners emit emitter
express koa hapi fastify nest nestjs next nextjs nuxt remix hono adonis feathers sails loopback meteor connect
http2 undici axios got fetch request response reply controller controllers provider providers injectable interceptor
interceptors pipe pipes filter filters decorator decorators gateway gateways adapter adapters platform factory consumer context
statuscode statusmessage timestamp detail details reason code codes status message messages field fields issue issues
instance description title type errorcode errortype requestid traceid path paths received expected constraint constraints
constraints validation validator validate zod joi ajv yup schema datapath instancepath schemapath keyword additional
properties property required pattern enum format minlength maxlength missing unexpected token end input json
econnrefused econnreset etimedout enotfound eai eaddrinuse epipe eacces enoent eperm ehostunreach hang socket dns
django flask fastapi starlette uvicorn gunicorn werkzeug pydantic traceback recent call file line python django views view
urls urlconf wsgi asgi middleware csrf template templates debug settings installed rest framework drf serializer serializers
viewset apiview permission denied keyerror valueerror typeerror attributeerror importerror indexerror runtimeerror
assertionerror jsondecodeerror httperror httpexception nonetype dict list tuple str int float bool bytes utf codec self cls kwargs
init def lambda site packages dist usr local var opt srv home lib lib64 bin etc tmp www html core handlers
rails ruby rack puma unicorn sidekiq activerecord activesupport actiondispatch actioncontroller actionpack action active record
support pack dispatch metal callbacks instrumentation rescue rescued params wrapper rendering journey gem gems bundler nomethoderror
nameerror argumenterror routingerror parseerror recordnotfound bundle sinatra hanami grape devise block in each tap nil
spring springframework springboot boot java javax jakarta servlet servlets tomcat catalina jetty undertow netty reactor webflux
filter chain valve coyote apache org com sun jdk jvm thread run invoke invoked reflect method delegating accessor impl
concurrent pool executor worker nullpointerexception illegal argument state exception runtime class cast nested root
hibernate jackson fasterxml databind mapper quarkus micronaut vertx dropwizard ktor kotlin kotlinx coroutines scala akka play bean
beans autowired component whitelabel explicit mapping fallback
symfony laravel illuminate lumen slim zend laminas yii cakephp codeigniter wordpress drupal kernel component bundle foundation
http foundation dispatcher event subscriber firewall authenticator composer autoload psr fpm php zend guzzle monolog twig blade
artisan eloquent closure pipeline
phoenix plug cowboy elixir erlang ejabberd mod gen fsm otp ranch cowlib beam supervisor genserver
gin echo fiber chi gorilla golang goroutine panic runtime debug net textproto actix axum tokio hyper tower rocket warp serde
aspnet aspnetcore dotnet microsoft system kestrel iis owin mvc razor middleware problem tools ietf rfc rfc2616 rfc6749 rfc6750 rfc7231 rfc7235 rfc7519 rfc7807 rfc9110 rfc9457 flatten flattened
nginx openresty apache httpd caddy traefik haproxy envoy varnish cloudflare cloudfront fastly akamai aws amazon amazonaws
azure google gcp lambda cloud run elb alb edge ray cf ip performance browser enable attention upstream connect timed
dial refused origin reached apologise cdn cgi bot captcha challenge blocked waf mod modsecurity
mysql postgres postgresql psql pg sqlite mongo mongodb mongoose redis prisma sequelize typeorm knex sql query table relation
column duplicate violates unique constraint foreign null value
logger log logs info warn warning debug fatal level pid hostname ts msg time name pino winston bunyan stdout stderr
docker kubernetes pod container image helm service svc namespace ingress sidecar istio linkerd jaeger zipkin otel sentry
socket sockets namespace room rooms rooms ack acks transport unknown sid handshake
webpack vite rollup turbopack bundle chunk chunks hot reload source map
website websites invocable eauth didn doesn couldn isn wasn haven hasn hadn wouldn shouldn aren weren as401 uuid uuids guid ulid writable oracle macos verifiers indexeddb mozilla webkit gecko applewebkit khtml chrome safari firefox x64 x86
x86_64 linux windows nt win64 headless md5 crc hash hex
`

export const technicalWords: string = `${protocols} ${tokens} ${frameworks}`
