/** The things that must not be read in any of them: a credential, an id of a user, an address. */
export const hiddenInAll = [
  'Zq7xW2kLm9',
  '4f1d2c9a7b6e',
  'mkowalczyk',
  'hunter2zebra',
  'AKx09vQpLd3',
  'eyJhbGciOiJub25lIn0',
] as const

/** Errors as servers and frameworks write them, and the words by which a reader recognises each. */
export const errorBodies = [
  {
    server: 'Express, jsonwebtoken',
    body: `{"error":"invalid_token","message":"jwt malformed","requestId":"4f1d2c9a7b6e"}`,
    recognised: ['"error":"invalid_token"', '"message":"jwt malformed"'],
  },
  {
    server: 'Express, body-parser',
    body: `{"name":"SyntaxError","message":"Unexpected token 'Z', \\"Zq7xW2kLm9\\" is not valid JSON","stack":"SyntaxError: Unexpected token\\n    at JSON.parse (<anonymous>)\\n    at parse (/app/node_modules/body-parser/lib/types/json.js:92:19)"}`,
    recognised: ['SyntaxError', 'is not valid JSON', 'at JSON.parse (<anonymous>)', 'json.js:92:19'],
  },
  {
    server: 'Nest, guard',
    body: `{"statusCode":401,"message":"Unauthorized","timestamp":"2026-11-25T04:49:00.123Z","path":"/calling-token","user":"mkowalczyk"}`,
    recognised: ['"statusCode":401', '2026-11-25T04:49:00.123Z', '/calling-token'],
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
    server: 'Rails, an exception as JSON',
    body: `{"status":500,"error":"Internal Server Error","exception":"#<NoMethodError: undefined method 'id' for nil>","traces":{"Application Trace":[{"exception_object_id":9480,"id":0,"trace":"app/controllers/calling_tokens_controller.rb:12:in 'create'"}]}}`,
    recognised: ['NoMethodError: undefined method', 'calling_tokens_controller.rb:12', "'create'"],
  },
  {
    server: 'Spring Boot, with a trace',
    body: `{"status":500,"error":"Internal Server Error","trace":"java.lang.NullPointerException: Cannot invoke \\"String.length()\\" because \\"token\\" is null\\n\\tat com.example.calls.MintController.mint(MintController.java:52)\\n\\tat org.springframework.web.method.support.InvocableHandlerMethod.doInvoke(InvocableHandlerMethod.java:255)","path":"/calling-token"}`,
    recognised: ['java.lang.NullPointerException', 'MintController.mint(MintController.java:52)', 'doInvoke'],
  },
  {
    server: 'Tomcat',
    body: `<!doctype html><html lang="en"><head><title>HTTP Status 401 – Unauthorized</title><style type="text/css">body {font-family:Tahoma,Arial,sans-serif;}</style></head><body><h1>HTTP Status 401 – Unauthorized</h1></body></html>`,
    recognised: ['HTTP Status 401 – Unauthorized'],
  },
  {
    server: 'Laravel',
    body: `{"message":"The user id field is required.","errors":{"userId":["The user id field is required."]},"exception":"Illuminate\\\\Validation\\\\ValidationException","file":"\\/var\\/www\\/vendor\\/laravel\\/framework\\/src\\/Illuminate\\/Support\\/helpers.php","line":330}`,
    recognised: ['The user id field is required.', 'ValidationException', 'helpers.php', '"line":330'],
  },
  {
    server: 'ASP.NET Core',
    body: `{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.2","title":"Unauthorized","status":401,"traceId":"00-4f1d2c9a7b6e8d3f0a1b2c3d4e5f6a7b-8a9b0c1d2e3f4a5b-00"}`,
    recognised: ['Unauthorized', '"status":401'],
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
    server: 'Socket.IO, a refused connection',
    body: `44{"message":"invalid credentials","data":{"code":"EAUTH","sid":"AKx09vQpLd3"}}`,
    recognised: ['"message":"invalid credentials"', '"data"'],
  },
  {
    server: 'mosquitto',
    body: `1795582140: Client mkowalczyk disconnected, not authorised.`,
    recognised: ['Client', 'disconnected, not authorised.'],
  },
]
