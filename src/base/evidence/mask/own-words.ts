// Words of the suite's own sentences that are no common English ones.
// Written by `npm run words`.

export const ownWords: string = `
aab aapt aar ablation abs acextract acme adapters addon admin aedes alerts alg alice alloc altname amp
analytics anchor android anew annotate annotates annotation annotations api apk apktool apos app appimage
appium apps apt ar arg args argv aria arial arsc artefact artefacts artifact artifacts asar asides assemblies
asymmetric async asyncapi atkinson atob atomics attaches attacker attestation attested attests attrs aud
audit audited auditing audits auth authenticate authenticated authenticates authentication auto autocomplete
automaton avatar axios axis backdated backend backends backoff backslash badges bait baksmali balancer bans
bare baseline basename bbb bearer beat beginnings bin binaries binutils biome blob blot bluecoat bob bodiless
bold bomb bookworm boolean bounded br brace breaches breaker breakers broker brotli browser browserify
browsers bsdtar btoa buildargs builder builders builtin bundler bundlers bundles bundletool bundling bytecode
ca cache cached caches caching cafile cainfo callback callbacks callers canaries canary cancellation canvas
canvases cap capacitor capitalised capitalize capped caption captive carriages cascadia cdn ceil cek
centrifugo cert certificates certify cf changeit changeme charset chatter checkout checksum checksums chrome
chromium chunked ci ciphers ciphertext cite clamped classname cli clicks clip closures cloudflare codec col
collector colons com commander concat concatenation concurrent conf config conformance conformant conforming
conforms confuser conn consolas consoles const constructor containers contenteditable controllerchange cores
corpus cors counters cpio credential credentials crit crt crv crypto csrf css ctrf ctrl cty cue curl cwd cx
cy cyan da darwin dasharray dat dataset dd deadlines deb debian dec decoder decoders decomposed decomposes
decompresses decompression decoration decoy decoys decrypt decrypted decrypts def defer deflate deflated
delegates demo deny dependencies dependency deploy deployed deployment der dev dex dexdump dial diff dir
dirname dispatcher dist div django djavax dl dmg docker dockerfile docs doctype dot dots download dpkg dt
duplex earn ec echo edwards elf em emit emits en enc encoder encodings encrypt encrypted encryption endian
endpoint endpoints english entitlement enum enums env epoch equiv errored errs esbuild etag etherx eu eval
evaluator evil excerpts excused exe exec exempts exit exp exponentially exported exports extname extractable
ey fake fastapi fastify fat fc fetched fetches fetching fff ffff ffffff figcaption filename fin finder
fingerprint fingerprints firewall firewalls fixtures flattened flex flutter fold font footer foreground
forged forgeries forgery forges forging fork forks frameworks framing freshly fri fs fuzz fuzzer gaps gate
gateways gcc getegid geteuid getters gh gi gid git github gitlab glibc glob globals globs glyphs gms google
goto gpg graphql greenwich greeting greets grep grid gt gu gzip hal handlers handshake handshakes hash hashed
hashes headings headless healed heals healthcheck heartbeat heartbeats heed hellos helper helpers helvetica
hermes hermesc hers hex histories hmac hocuspocus homedir hono hook hop hops hosted hostname hover hr href
html http https httpx hurt hyphenate hyphens iat id idempotency identities idioms idle idm ids iframe img
impersonate impersonates impersonation importcert importer inbound inbox incapsula indentation indented inert
inflated inflates inflating informational init injected injectors ink inline inlined innermost ins inset
installer instanceof instants intercepted interceptor interpolated interpolation intl introspection invariant
invariants invocation invokedynamic io ipa ipc iss issuer issuers iterations iterators iv jabber janus jar
java javac javap javascript jazzer jdk jitter jittered jku js jsfuck json jsonwebtoken jti junit jwk jwks jws
jwt jwts kerberos kevin keyof keystore keytool kicker kilobytes kotlin kotlinc kty kubectl kubernetes ky
labelledby labs lambdas lane lanes lang laravel latin leak leaked leaks leeway li lib libarchive liberation
libplist lifespan lifetimes ligatures likeness limiter linecap linejoin lint linter linux listeners literals
livekit llvm locale localhost localised locator lockfile lockout login loglevel logout lookup loopback ls
lstat lt lzfse lzip lzma lzop mach magenta makenowjust makensis makeself malformed manifest maps markdown
markup mask masked matcher math max mcs md median medians mend menlo meta metadata metrics microsoft mid
middleware milliseconds min minified minmax mint minted minting mints misbehaves mismatch mismatches misused
misuses mitigated mitmproxy mjs mkdir mkdtemp mksquashfs modulus mono monospace monotonic mosquitto mqtt ms
msedge mtime multipart mutable mutant mutex naccept namespace narrows nats navigator nbf ne nest neue nginx
nhost nlogin node noindex non nonce nonconformant noprompt normalising normalize nosniff notations noun
november nowrap npasscode npm npmrc npx ns null nums oauth obfuscated obfuscator obfuscators objdump octal
ofetch offline oidc ok ol onabort onclose onerror online onload onmessage onopen opacity opaque openapi
openid openings openssl oracles org orphans outage outages outermost outlast outlasts outlive outlives
outrank outranks outruns outsider overlapping overrun owns pace pacer pacers paces packer pact pacts pak
param params parcel parser pasted pathname payload payloads pb pdf peer pem permessage php pid piecemeal pin
ping pings pinned pinning pins pipelines placeholder placeholders playwright plist plistlib plists plistutil
plugin png pod podman pods politely polling polygon pong pools portal pos pre precondition predicate prefault
preflight preflights preparations preset printable privoxy probe probed prober probes probing proc prosody
proto protobuf provenance provider providers provisioned proxies proxy prune pub py qdf qpdf quic quot ram
ramdisks randomness rank ratelimit reachable readdir readelf readiness readline readlink readonly realpath
reassembled rebinding recase recased recheck recomputed reconnect reconnected reconnecting reconnects rect
recur recurs redact redacted redaction redactor redacts redirected redirects redocly ref referer referrer
refusals registry regression rejections rel relayed relays reloading reloads renewal reorders replay replayed
replays repository res resends resolver retold retrial retrials retried retries retry retrying reusable
reused reuses revalidates revalidation reviewer revocation revoke revoked revokes rfc rg rightful ripgrep rm
roboto rollup rootless router routers rows rpmbuild rspack rtc ruby runner runners runtimes rust rx sandbox
sans sarif scalar scanners schema schemas screenshot screenshots scripted sdk searchable sec secured seed
seeds segoe selector selectors semicolon sensitively sep serialisation serialization serif servable
servername setup sh shaft shapeless shard shards sharpen shields shortcut sibling siblings sid sig sightings
signalr signer signers silences silently skew skip slack slashes slim slot smali snap snapshots sockjs softer
span sparse sparticuz spawn spellcheck spki splice sqlite squid src ss ssl st stalled stalls standalone stat
statuses stderr stdin stdio stdout storepass straining streamed stringify sub subarray subprotocol
subprotocols subs substring successes sucuri suites sums supersecret suppressions surrogate surrogates svg
swagger swap swift symfony sync synchronous tab tabindex tabs tabular tag tagged tags tail tally tampered tap
taps tar tarball tbody tbz tcp td tear teardown telemetry temp template templates tenant testcase
testcontainers tester testsuite textarea th thead threads throwaway ticked ticks tilde tile timeout timers
timestamp tinyproxy tls tmp tmpdir todo tokenless tone tool toolchain toolchains tr traceback trackers
trailer trailers transformations traversal trickles trim trimmed trimming trims ts tt ttl tutorials twin
twotoken txt typ typeof ubuntu ufeff ugrep ui uid ul unaligned unanswered unasked unattested unauditable
unauthenticated unavailability unchecked uncompressed undecided underscore underway undici undo unencrypted
unexpired unexplored unguessable unicode unissued unjudged unmasked unmet unpack unpacked unpacks unpaid
unquoted unrar unreachable unrecorded unref unreviewed unscripted unsendable unsent unserved unshare unshift
unsigned unsquashfs unstated untestable untested untrusted untypical unwaited unwritable unwritten unzip
upload uppercase upstream uri url urlencoded urllib userid username usr utf utils uuid vain validate
validated validates validating validator validators var varint verdicts verif verifier versioned viewport
violated violates violations visibility vite vitest void voip vouched vulnerability waived waiver waivers
wake walker wasm watchdog watcher weakly web webkit webpack websocket whereabouts wildcard wildcards wixl
workflows wrap wretch ws wss www wx xamarin xapk xar xf xfe xff xml xmlns xor xz yaml yml zeroed zig zip
zipfile zips zlib zod zone zscaler zst zstd zygote
`
