// Words of the suite's own sentences that are no common English ones.
// Written by `npm run words`.

export const ownWords = `
aab aapt aar ablation abs acextract acme adapters admin aedes alerts alg alice alloc altname amp analytics
anchor android anew annotate annotates annotation annotations api apk apktool apos app appimage appium apps
apt ar arg args argv aria arial arsc artefact artefacts artifact artifacts asar asides assemblies asymmetric
async asyncapi atob atomics attaches attacker attested attests attr attrs aud audit audited auditing audits
auth authenticate authenticated authenticates authentication auto autocomplete automaton avatar axios axis
backdated backend backends backoff backslash badges bait baksmali balancer bans bare baseline basename bbb
bearer beat beginnings bin binaries binutils biome blob blot bob bodiless bold bomb bookworm boolean bounded
br brace breaches breaker breakers broker brotli browser browserify browsers bsdtar btoa buildargs builder
builders builtin bundler bundlers bundles bundletool bundling bytecode ca cache cached caches caching cafile
cainfo callback callers canaries canary cancellation cap capacitor capitalised capitalize capped caption
carriages cascadia cd cdn ceil centrifugo cert certificates certify changeit changeme charset chatter
checkout checksum checksums chrome chromium chunked ci ciphers ciphertext cite clamped classname cli clip
codec coerced col collector colons com concat concatenation concurrent conf config conformance conformant
conforming conforms confuser conn consolas const constructor containers controllerchange cores corpus cors
counters cp cpio credential credentials crit crt crypto csrf css ctrf ctrl cty cue curl cwd cx cy cyan da
darwin dasharray dat dataset dd deadlines dearest deb debian dec decoder decomposed decomposes decompresses
decoration decoy decoys decrypt decrypted decrypts def defer deflate deflated demo deny dependencies
dependency deploy deployed deployment der dev dex dexdump dial diff dir dirname dispatcher dist div djavax dl
dmg docker dockerfile docs doctype dot dots download dpkg dt duplex earn ec echo edwards elf em email emit
emits en enc encoder encodings encrypt encrypted encryption endian endpoint entitlement enum env epoch equiv
errored errs esbuild etag etherx eval evaluator evil excerpts excused exe exec exempts exit exp exponentially
exported exports extname extractable ey fake fastapi fastify fat fc fetched fetches fetching fff ffff ffffff
figcaption filename finder finders fingerprint fingerprints firewall fixtures flex flutter fold font footer
foreground forged forgeries forgery forges forging fork forks frameworks freshly fri fs fuzz gaps gate
gateways gcc getegid geteuid getters gh gi gid git github gitlab glob globs glyphs gms google goto gpg
graphql greenwich greeting greets grep grid gt gu gzip hal handlers handshake handshakes hash hashed hashes
headings headless healed heals healthcheck heartbeat heartbeats hellos helper helpers helvetica hermes
hermesc hers hex histories hmac hocuspocus homedir hook hop hops hosted hostname hover hr href html http
https httpx hurt hyphenate hyphens iat id idempotency identities idle idm ids img impersonate impersonates
impersonation importcert importer inbound inbox indentation indented inert inflated inflating informational
init injected injectors ink inline inlined innermost ins inset installer instanceof instants intercepted
interceptor interpolated intl invariant invariants invocation invokedynamic io ipa ipc iss issuer issuers
jabber janus jar java javac javap javascript jdk jitter jittered jku jq js jsfuck json jti junit jwk jwks jws
jwt jwts kerberos keyof keystore keytool kicker kilobytes kotlin kubectl kubernetes ky labelledby lane lanes
lang latin leak leaked leaks leeway li lib libarchive libcurl liberation libplist lifespan lifetimes
ligatures likeness limiter linecap linejoin lint linux listeners literals livekit llvm locale localhost
localised lockfile lockout login loglevel logout lookup loopback ls lstat lt lzfse lzip lzma lzop mach
magenta makensis makeself malformed maps markdown markup mask masked matcher math max md median medians
memoised mend menlo meta metadata metrics microsoft mid middleware milliseconds min minified minmax mint
minted minting mints misbehaves mismatch mismatches misused misuses mjs mkdir mkdtemp mksquashfs modulus mono
monospace monotonic mqtt ms msedge mtime multipart mutable mutant mutants mutex naccept namespace narrows
nats navigator nbf ne negatives nest neue nginx nhost nlogin node noindex non nonce nonconformant noprompt
normalised normalising normalize nosniff notations noun november nowrap npasscode npm npx ns null nums oauth
obfuscated obfuscator obfuscators objdump octal ofetch offline ok ol onabort onclose onerror online onload
onmessage onopen opacity opaque openapi openid openings openssl ops oracles org orphans outermost outlasts
outlive outlives outrank outranks outruns outsider overlapping owns pace pacer pacers paces packer pact
pacticipant pacts param params parcel parser pasted pathname payload payloads pb pdf peer pem permissions php
pid piecemeal pin ping pings pinned pinning pins pipelines placeholder placeholders playwright plist plistlib
plists plistutil plugin png pod podman pods politely polling polygon pools pos positionals pre precondition
predicate prefault preflight preflights preparations preset printable probe probed prober probes probing proc
prosody proto protobuf provenance provider providers provisioned proxies proxy prune pub py qdf qpdf quic
quot ram ramdisks randomness rank reachable readdir readelf readiness readline readlink readonly realpath
reassembled rebinding recase recased recomputed reconnect reconnected reconnecting reconnects rect recur
recurs redact redacted redaction redactor redacts redirected redirects redocly ref referrer refusals registry
regression rejections relayed relays reloading reloads renewal reorders replay replayed repo repos repository
res resends resolver retrial retrials retried retries retry retrying reusable reused reuses rev revalidates
revalidation reviewer revocation revoke revoked revokes rg rightful ripgrep rm ro roboto rollup rootless rows
rpmbuild rsa rspack rtc ruby runner runners runtimes rust rx sandbox sans sarif scalar scanners schema
schemas screenshot screenshots scripted sdk searchable sec secured seed seeds segoe selector selectors
sensitively serialisation serif servable servername sess setup sh shaft shapeless shard shards sharpen
shields shortcut sibling siblings sid sig sightings signalr signer signers silently skew skip slack slashes
slim smali snap snapshots sockjs softer span sparse sparticuz spawn spec spellcheck spki splice sqlite src ss
ssl staging stalled stalls standalone stat statuses stderr stdin stdio stdout storepass straining strays
streamed strides stringify sub subarray subprotocol subprotocols subs substring successes suites supersecret
suppressions surrogate surrogates svg swagger swap swift sync synchronous tab tabindex tabs tabular tag tags
tail tally tampered tap taps tar tarball tbody tbz tcp td tear teardown telemetry temp template templates
tenant testcase tester testsuite tgz th thead threads throwaway ticked ticks tile timeout timers timestamp
tls tmp tmpdir todo tokenless tone tool toolchain toolchains tr trackers trailer trailers traversal trickles
trim trimmed trimming trims ts tt ttl tutorials twin twotoken txt typ typeof ubuntu ufeff ugrep ui uid ul
unanswered unasked unattested unauditable unauthenticated unchecked uncompressed undecided underscore
underway undici unencrypted unexpired unguessable unicode unissued unjudged unmet unnoticeable unpack
unpacked unpacks unpaid unquoted unrar unreachable unrecorded unref unreviewed unscripted unsendable unsent
unshare unshift unsigned unsquashfs untestable untested untrusted untypical unwaited unwritable unwritten
unzip upload uploads upstream uri url urlencoded urllib userid username usr utf utils uuid vain validate
validated validates validating validator validators var varint verdicts verif verifier versioned viewport
violated violates violations visibility vite vitest void voip vouched vulnerability waived waiver waivers
walker wasm watchdog watcher weakly web webkit webpack websocket whereabouts wildcard wildcards wixl workflow
workflows wrap wretch ws wss www wx xamarin xapk xar xf xfe xff xml xmlns xor xz xzf yaml yml zeroed zig zip
zipfile zips zlib zod zone zst zstd zygote
`
