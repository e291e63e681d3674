/** An error as a server or a framework writes it, and the words by which a reader recognises it. */
export interface ErrorBody {
  readonly server: string
  readonly body: string
  readonly recognised: readonly string[]
}

/** The things that must not be read in any of them: a credential, an id of a user, an address. */
export const hiddenInAll = [
  'Zq7xW2kLm9',
  '4f1d2c9a7b6e',
  'mkowalczyk',
  'hunter2zebra',
  'AKx09vQpLd3',
  'eyJhbGciOiJub25lIn0',
] as const

export const errorBodies: readonly ErrorBody[] = [
  {
    server: 'Express, jsonwebtoken',
    body: `{"error":"invalid_token","message":"jwt malformed","requestId":"4f1d2c9a7b6e"}`,
    recognised: ['"error":"invalid_token"', '"message":"jwt malformed"'],
  },
  {
    server: 'Express, its page of an error',
    body: `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Error</title>
</head>
<body>
<pre>TypeError: Cannot read properties of undefined (reading &#39;userId&#39;)<br> &nbsp; &nbsp;at mint (/srv/app/src/routes/calling-token.js:42:17)<br> &nbsp; &nbsp;at Layer.handle [as handle_request] (/srv/app/node_modules/express/lib/router/layer.js:95:5)<br> &nbsp; &nbsp;at next (/srv/app/node_modules/express/lib/router/route.js:149:13)</pre>
</body>
</html>`,
    recognised: [
      'TypeError: Cannot read properties of undefined',
      'calling-token.js:42:17',
      'express/lib/router/layer.js:95:5',
    ],
  },
  {
    server: 'Express, body-parser',
    body: `{"name":"SyntaxError","message":"Unexpected token 'Z', \\"Zq7xW2kLm9\\" is not valid JSON","stack":"SyntaxError: Unexpected token\\n    at JSON.parse (<anonymous>)\\n    at parse (/app/node_modules/body-parser/lib/types/json.js:92:19)"}`,
    recognised: ['SyntaxError', 'is not valid JSON', 'at JSON.parse (<anonymous>)', 'json.js:92:19'],
  },
  {
    server: 'Express, Cannot POST',
    body: '<pre>Cannot POST /api/v1/calling/token</pre>',
    recognised: ['Cannot POST /api/v1/calling/token'],
  },
  {
    server: 'Nest, validation',
    body: `{"message":["userId must be a string","ttlSeconds must not be greater than 3600"],"error":"Bad Request","statusCode":400}`,
    recognised: ['userId must be a string', 'must not be greater than 3600', '"statusCode":400'],
  },
  {
    server: 'Nest, guard',
    body: `{"statusCode":401,"message":"Unauthorized","timestamp":"2026-11-25T04:49:00.123Z","path":"/calling-token","user":"mkowalczyk"}`,
    recognised: ['"statusCode":401', '2026-11-25T04:49:00.123Z', '/calling-token'],
  },
  {
    server: 'Nest, exception in a log',
    body: `[Nest] 4711  - 11/25/2026, 4:49:00 AM   ERROR [ExceptionsHandler] Session Zq7xW2kLm9 not found
Error: Session not found
    at AuthService.verify (/app/dist/auth/auth.service.js:31:15)`,
    recognised: ['ERROR [ExceptionsHandler] Session', 'AuthService.verify', 'auth.service.js:31:15'],
  },
  {
    server: 'Fastify, schema',
    body: `{"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"body must have required property 'userId'"}`,
    recognised: ['ERR_VALIDATION', "body must have required property 'userId'"],
  },
  {
    server: 'Fastify, not found',
    body: `{"message":"Route POST:/calling-token not found","error":"Not Found","statusCode":404}`,
    recognised: ['Route POST:/calling-token not found'],
  },
  {
    server: 'Koa',
    body: 'Authentication Error',
    recognised: ['Authentication Error'],
  },
  {
    server: 'Next, a route that failed',
    body: `<!DOCTYPE html><html><head><style data-next-hide-fouc="true">body{display:none}</style></head><body><div id="__next"><h1 class="next-error-h1" style="display:inline-block">500</h1><h2>Internal Server Error.</h2></div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"statusCode":500}},"buildId":"Zq7xW2kLm9"}</script></body></html>`,
    recognised: ['>500</h1>', 'Internal Server Error.'],
  },
  {
    server: 'Next, in development',
    body: `Error: connect ECONNREFUSED 127.0.0.1:5432
    at async POST (webpack-internal:///(rsc)/./app/api/calling-token/route.ts:18:20) {
  digest: '4f1d2c9a7b6e'
}`,
    recognised: ['connect ECONNREFUSED 127.0.0.1:5432', 'calling-token/route.ts:18:20'],
  },
  {
    server: 'Django REST framework',
    body: `{"detail":"Given token not valid for any token type","code":"token_not_valid","messages":[{"token_class":"AccessToken","token_type":"access","message":"Token is invalid or expired"}]}`,
    recognised: [
      'Given token not valid for any token type',
      'token_not_valid',
      'Token is invalid or expired',
    ],
  },
  {
    server: 'Django, its page of a failed check',
    body: `<!DOCTYPE html>
<html lang="en">
<head>
  <meta http-equiv="content-type" content="text/html; charset=utf-8">
  <title>403 Forbidden</title>
  <style type="text/css">html * { padding:0; margin:0; } body { font:small sans-serif; background:#eee; }</style>
</head>
<body>
  <h1>Forbidden <span>(403)</span></h1>
  <p>CSRF verification failed. Request aborted.</p>
</body>
</html>`,
    recognised: ['<title>403 Forbidden</title>', 'CSRF verification failed. Request aborted.'],
  },
  {
    server: 'Django, traceback',
    body: `Traceback (most recent call last):
  File "/usr/local/lib/python3.12/site-packages/django/core/handlers/exception.py", line 55, in inner
    response = get_response(request)
  File "/app/calls/views.py", line 40, in mint
    user = sessions["Zq7xW2kLm9"]
KeyError: 'Zq7xW2kLm9'`,
    recognised: ['Traceback (most recent call last)', 'calls/views.py", line 40, in mint', 'KeyError'],
  },
  {
    server: 'FastAPI, validation',
    body: `{"detail":[{"type":"missing","loc":["body","userId"],"msg":"Field required","input":{"user":"mkowalczyk"}}]}`,
    recognised: ['"type":"missing"', '["body","userId"]', 'Field required'],
  },
  {
    server: 'Flask, werkzeug',
    body: `<!doctype html>
<html lang=en>
<title>405 Method Not Allowed</title>
<h1>Method Not Allowed</h1>
<p>The method is not allowed for the requested URL.</p>`,
    recognised: ['405 Method Not Allowed', 'The method is not allowed for the requested URL.'],
  },
  {
    server: 'PyJWT in a response',
    body: `{"error": "DecodeError", "detail": "Invalid header string: Not enough segments", "token": "eyJhbGciOiJub25lIn0"}`,
    recognised: ['DecodeError', 'Invalid header string: Not enough segments'],
  },
  {
    server: 'Rails, an exception as JSON',
    body: `{"status":500,"error":"Internal Server Error","exception":"#<NoMethodError: undefined method 'id' for nil>","traces":{"Application Trace":[{"exception_object_id":9480,"id":0,"trace":"app/controllers/calling_tokens_controller.rb:12:in 'create'"}]}}`,
    recognised: ['NoMethodError: undefined method', 'calling_tokens_controller.rb:12', "'create'"],
  },
  {
    server: 'Rails, routing',
    body: `ActionController::RoutingError (No route matches [POST] "/calling-token"):`,
    recognised: ['ActionController::RoutingError (No route matches [POST] "/calling-token")'],
  },
  {
    server: 'Rails, the public page',
    body: `<div class="dialog"><div><h1>The change you wanted was rejected.</h1><p>Maybe you tried to change something you didn't have access to.</p></div></div>`,
    recognised: ['The change you wanted was rejected.'],
  },
  {
    server: 'Devise',
    body: `{"error":"You need to sign in or sign up before continuing."}`,
    recognised: ['You need to sign in or sign up before continuing.'],
  },
  {
    server: 'Spring Boot, security',
    body: `{"timestamp":"2026-11-25T04:49:00.123+00:00","status":401,"error":"Unauthorized","message":"Full authentication is required to access this resource","path":"/calling-token"}`,
    recognised: ['"status":401', 'Full authentication is required to access this resource'],
  },
  {
    server: 'Spring Boot, with a trace',
    body: `{"status":500,"error":"Internal Server Error","trace":"java.lang.NullPointerException: Cannot invoke \\"String.length()\\" because \\"token\\" is null\\n\\tat com.example.calls.MintController.mint(MintController.java:52)\\n\\tat org.springframework.web.method.support.InvocableHandlerMethod.doInvoke(InvocableHandlerMethod.java:255)","path":"/calling-token"}`,
    recognised: ['java.lang.NullPointerException', 'MintController.mint(MintController.java:52)', 'doInvoke'],
  },
  {
    server: 'Spring, a problem of RFC 9457',
    body: `{"type":"about:blank","title":"Bad Request","status":400,"detail":"Failed to read request","instance":"/calling-token"}`,
    recognised: ['about:blank', 'Failed to read request'],
  },
  {
    server: 'Tomcat',
    body: `<!doctype html><html lang="en"><head><title>HTTP Status 401 – Unauthorized</title><style type="text/css">body {font-family:Tahoma,Arial,sans-serif;}</style></head><body><h1>HTTP Status 401 – Unauthorized</h1></body></html>`,
    recognised: ['HTTP Status 401 – Unauthorized'],
  },
  {
    server: 'Keycloak',
    body: `{"error":"invalid_grant","error_description":"Session not active"}`,
    recognised: ['invalid_grant', 'Session not active'],
  },
  {
    server: 'Symfony',
    body: `{"type":"https:\\/\\/tools.ietf.org\\/html\\/rfc2616#section-10","title":"An error occurred","status":500,"detail":"Notice: Undefined index: user","class":"Symfony\\\\Component\\\\ErrorHandler\\\\Exception\\\\FlattenException"}`,
    recognised: ['An error occurred', 'Undefined index: user', 'FlattenException'],
  },
  {
    server: 'Symfony, Lexik',
    body: `{"code":401,"message":"Expired JWT Token"}`,
    recognised: ['"code":401', 'Expired JWT Token'],
  },
  {
    server: 'Laravel',
    body: `{"message":"The user id field is required.","errors":{"userId":["The user id field is required."]},"exception":"Illuminate\\\\Validation\\\\ValidationException","file":"\\/var\\/www\\/vendor\\/laravel\\/framework\\/src\\/Illuminate\\/Support\\/helpers.php","line":330}`,
    recognised: ['The user id field is required.', 'ValidationException', 'helpers.php', '"line":330'],
  },
  {
    server: 'PHP, a warning before the body',
    body: `<br />
<b>Warning</b>:  Undefined array key "Zq7xW2kLm9" in <b>/var/www/html/token.php</b> on line <b>17</b><br />`,
    recognised: ['Warning', 'Undefined array key', '/var/www/html/token.php', '17'],
  },
  {
    server: 'ASP.NET Core',
    body: `{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.2","title":"Unauthorized","status":401,"traceId":"00-4f1d2c9a7b6e8d3f0a1b2c3d4e5f6a7b-8a9b0c1d2e3f4a5b-00"}`,
    recognised: ['Unauthorized', '"status":401'],
  },
  {
    server: 'Go, net/http',
    body: 'invalid session: sql: no rows in result set (password=hunter2zebra)',
    recognised: ['invalid session: sql: no rows in result set', 'password='],
  },
  {
    server: 'Phoenix',
    body: `{"errors":{"detail":"Internal Server Error"}}`,
    recognised: ['{"errors":{"detail":"Internal Server Error"}}'],
  },
  {
    server: 'nginx',
    body: `<html>
<head><title>502 Bad Gateway</title></head>
<body>
<center><h1>502 Bad Gateway</h1></center>
<hr><center>nginx/1.25.3</center>
</body>
</html>`,
    recognised: ['502 Bad Gateway', 'nginx/1.25.3'],
  },
  {
    server: 'a content network',
    body: `<!DOCTYPE html><html><head><title>Access denied | api.example.com used Cloudflare to restrict access</title></head><body><h1>Error 1020</h1><p>Ray ID: <code>4f1d2c9a7b6e</code> &bull; 2026-11-25 04:49:00 UTC</p><p>This website is using a security service to protect itself from online attacks.</p></body></html>`,
    recognised: [
      'Access denied',
      'Error 1020',
      '2026-11-25 04:49:00 UTC',
      'security service to protect itself',
    ],
  },
  {
    server: 'a load balancer',
    body: `upstream connect error or disconnect/reset before headers. reset reason: connection failure, transport failure reason: delayed connect error: 111`,
    recognised: ['upstream connect error or disconnect/reset before headers', 'connection failure', '111'],
  },
  {
    server: 'Socket.IO, a refused connection',
    body: `44{"message":"invalid credentials","data":{"code":"EAUTH","sid":"AKx09vQpLd3"}}`,
    recognised: ['"message":"invalid credentials"', '"data"'],
  },
  {
    server: 'ejabberd',
    body: `<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/><text xml:lang='en'>Invalid token for mkowalczyk</text></failure>`,
    recognised: ['<failure', '<not-authorized/>', 'Invalid token for'],
  },
  {
    server: 'mosquitto',
    body: `1795582140: Client mkowalczyk disconnected, not authorised.`,
    recognised: ['Client', 'disconnected, not authorised.'],
  },
]
