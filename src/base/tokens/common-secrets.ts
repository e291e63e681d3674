/** Secrets of HMAC that stand in tutorials, templates and default settings, or that people choose. In lower case. */
export const commonSecrets: readonly string[] = `
secret secret1 secret12 secret123 secret1234 secret_key secret-key secretkey secretkey123 mysecret my_secret my-secret
mysecretkey my_secret_key my-secret-key mysupersecret mysupersecretkey my_super_secret_key my-super-secret-key supersecret
super_secret super-secret supersecretkey super_secret_key super-secret-key supersecretpassword topsecret top_secret top-secret
verysecret very_secret very-secret verysecretkey veryverysecret notsosecret not_a_secret notsecret nosecret shhhh shhhhh
shhhhhhared-secret shared_secret shared-secret sharedsecret somesecret some_secret some-secret somesecretkey yoursecret
your_secret your-secret yoursecretkey your_secret_key your-secret-key your_jwt_secret your-jwt-secret your_jwt_secret_key
your-256-bit-secret your-384-bit-secret your-512-bit-secret your-very-secure-secret a-string-secret-at-least-256-bits-long
a-string-secret-at-least-384-bits-long-for-hs384 a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long
jwt jwtsecret jwt_secret jwt-secret jwtsecretkey jwt_secret_key jwt-secret-key jwt_key jwt-key jwtkey jwt_token jwt-token
jwtprivatekey jwt_private_key jwt_signing_key jwt-signing-key myjwtsecret my_jwt_secret my-jwt-secret jwtauth jwt_auth
token tokensecret token_secret token-secret tokenkey accesstoken access_token access-token access_token_secret
access-token-secret refresh_token_secret auth auth_secret auth-secret authsecret authkey auth_key session session_secret
session-secret sessionsecret signing signingkey signing_key signing-key signing_secret signing-secret privatekey private_key
private-key publickey public_key hmac hmackey hmac_key hmac-key hmacsecret hmac_secret key key1 keyboard keyboardcat
thisisasecret this_is_a_secret this-is-a-secret thisismysecret thisisasecretkey this-is-a-secret-key this_is_my_secret
thisisaverysecretkey changeme change_me change-me changeit changethis change_this changeme123 replaceme replace_me replace-me
replace-with-your-secret todo fixme placeholder example examplesecret example_secret example-secret example_key example-key
sample sample_secret sample-secret demo demosecret demo_secret demo-secret dev devsecret dev_secret dev-secret dev-secret-key
development develop local localsecret local-secret localhost test test1 test123 test1234 testing testsecret test_secret
test-secret testkey test_key test-key test-secret-key tester default defaultsecret default_secret default-secret defaultkey
production prod prodsecret prod-secret staging qa internal admin admin123 administrator root toor user guest password
password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword pass pass123 passwd passphrase letmein welcome
welcome1 welcome123 qwerty qwerty123 qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm abc abc123 abcd abcd1234 abcdef
abcdefgh abcdefghijklmnopqrstuvwxyz 0 1 12 123 1234 12345 123456 1234567 12345678 123456789 1234567890 0123456789
01234567890123456789012345678901 12345678901234567890123456789012 0123456789abcdef 0123456789abcdef0123456789abcdef
00000000000000000000000000000000 11111111111111111111111111111111 000000 111111 aaaa aaaaaaaa aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
xxxx xxxxxxxx xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx foo foobar bar baz foobarbaz hello helloworld hello-world hello_world
iloveyou monkey dragon sunshine football baseball master superman batman trustno1 starwars god love sex secretlove
none null undefined nil false true empty string object [object-object] nan value data app appsecret app_secret app-secret
appkey app_key app-key application api apisecret api_secret api-secret apikey api_key api-key server serversecret
server_secret server-secret client clientsecret client_secret client-secret backend service servicesecret gateway node nodejs
express expressjs nest nestjs django flask rails laravel spring springboot springbootsecret javainuse bezkoder dotnet golang
rust python java javascript react angular vue next nextauth next_auth_secret supabase hasura firebase mongo mongodb postgres
redis docker kubernetes call calling calls callingsecret calling_secret calling-secret calling-key call-secret callsecret
signaling signalingsecret signaling_secret signaling-secret signalling video voice webrtc rtc sip livekit devkey twilio agora
`
  .trim()
  .split(/\s+/)

/** The bytes that software makes of a secret as it is written in a setting. */
export function secretForms(secret: string): Uint8Array[] {
  const capitalised = secret.charAt(0).toUpperCase() + secret.slice(1)
  const spellings = new Set([secret, secret.toUpperCase(), capitalised, secret.replaceAll(/[-_]/g, ' ')])
  return [...spellings].flatMap((spelling) => [
    Buffer.from(spelling),
    Buffer.from(spelling, 'base64'),
    Buffer.from(Buffer.from(spelling).toString('base64')),
    ...(/^(?:[0-9a-f]{2})+$/i.test(spelling) ? [Buffer.from(spelling, 'hex')] : []),
  ])
}
