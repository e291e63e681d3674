/** Addresses of one part: where the gateway listens, and the nodes behind it. */
export interface Passage {
  readonly port: number
  /** Host and port of each node. */
  readonly nodes: readonly [string, ...string[]]
  readonly isSecure: boolean
}

export type Passages = Readonly<Record<'mint' | 'backend' | 'signaling', Passage>>

export interface Gateway {
  readonly name: string
  /** The package of Debian that has the program. */
  readonly program: 'nginx' | 'haproxy'
  /** Writes the configuration; certificates are in `server.pem`, in the folder that the program runs in. */
  readonly configure: (passages: Passages) => string
}

const page = (status: number, title: string) =>
  `<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>`

interface NginxSettings {
  readonly http?: string
  readonly location?: string
  /** Keeps connections to the nodes, as most configurations do; otherwise it speaks HTTP/1.0 to them. */
  readonly keepsAlive?: boolean
}

const nginx =
  ({ http = '', location = '', keepsAlive = true }: NginxSettings) =>
  (passages: Passages) =>
    `
daemon off;
pid nginx.pid;
error_log stderr crit;
worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  ${http}
  ${Object.entries(passages)
    .map(
      ([name, { port, nodes, isSecure }]) => `
  upstream ${name} { ${nodes.map((node) => `server ${node};`).join(' ')} ${keepsAlive ? 'keepalive 16;' : ''} }
  server {
    listen 127.0.0.1:${port}${isSecure ? ' ssl' : ''};
    ${isSecure ? 'ssl_certificate server.pem; ssl_certificate_key server.pem;' : ''}
    location / {
      proxy_pass http${isSecure ? 's' : ''}://${name};
      ${keepsAlive || name === 'signaling' ? 'proxy_http_version 1.1; proxy_set_header Connection $connection_upgrade;' : ''}
      ${name === 'signaling' ? 'proxy_set_header Upgrade $http_upgrade;' : ''}
      ${location}
    }
  }`,
    )
    .join('')}
}
`

const haproxy =
  (rules: (name: string) => string, further = '') =>
  (passages: Passages) =>
    `
defaults
  mode http
  timeout connect 5s
  timeout client 90s
  timeout server 90s
  timeout tunnel 600s
${Object.entries(passages)
  .map(
    ([name, { port, nodes, isSecure }]) => `
frontend ${name}
  bind 127.0.0.1:${port}${isSecure ? ' ssl crt server.pem' : ''}
${rules(name)}
  default_backend ${name}-nodes
backend ${name}-nodes
  balance roundrobin
${nodes.map((node, place) => `  server node${place} ${node}${isSecure ? ' ssl verify none' : ''}`).join('\n')}
`,
  )
  .join('')}
${further}
`

const blocked = `content-type text/html string "${page(403, 'Forbidden')}"`

export const gateways: readonly Gateway[] = [
  {
    name: 'nginx that limits requests and connections',
    program: 'nginx',
    configure: nginx({
      http: 'limit_req_zone $binary_remote_addr zone=requests:1m rate=20r/s; limit_conn_zone $binary_remote_addr zone=connections:1m;',
      location: 'limit_req zone=requests burst=20 nodelay; limit_conn connections 10;',
    }),
  },
  {
    name: 'nginx by its defaults, which changes headers, paths and the version of HTTP',
    program: 'nginx',
    configure: nginx({ keepsAlive: false }),
  },
  {
    name: 'a firewall that answers odd requests with 403 and a page',
    program: 'nginx',
    configure: nginx({
      http: `
  map $http_authorization $is_odd_credential { default 0; "~[^ -~]" 1; "~[<>;'\\"]" 1; "~^.{2000}" 1; "~*(null|undefined|admin)" 1; }
  map $args $is_odd_query { default 0; "~*(debug|trace|token|key|userid|[<>'])" 1; }
  map $request_method $is_odd_method { default 1; GET 0; POST 0; }
  map "$is_odd_credential$is_odd_query$is_odd_method" $is_odd { default 1; 000 0; }
  client_max_body_size 4k;`,
      location: `if ($is_odd) { return 403 '${page(403, 'Forbidden')}'; } add_header Content-Type text/html;`,
    }),
  },
  {
    name: 'a CDN with a deadline of 60 s and its own error pages',
    program: 'nginx',
    configure: nginx({
      http: `gzip on; gzip_types application/json; gzip_min_length 1;`,
      location: `proxy_read_timeout 60s; proxy_intercept_errors on; add_header Via '1.1 cdn' always;
      error_page 502 503 504 @broken;
    }
    location @broken {
      default_type text/html;
      return 502 '${page(502, 'Bad Gateway')}';`,
    }),
  },
  {
    name: 'HAProxy before two nodes that share nothing',
    program: 'haproxy',
    configure: haproxy(() => ''),
  },
  {
    name: 'HAProxy that bans for 60 s after 30 failures in 10 s',
    program: 'haproxy',
    configure: haproxy(
      (name) => `
  stick-table type ip size 1k expire 10s store http_err_rate(10s)
  http-request track-sc0 src
  http-request deny deny_status 403 ${blocked} if { src,table_gpc0(bans-${name}) gt 0 }
  http-request track-sc1 src table bans-${name} if { sc0_http_err_rate gt 30 }
  http-request sc-inc-gpc0(1) if { sc0_http_err_rate gt 30 }
  http-request deny deny_status 403 ${blocked} if { sc0_http_err_rate gt 30 }`,
      ['mint', 'backend', 'signaling']
        .map((name) => `backend bans-${name}\n  stick-table type ip size 1k expire 60s store gpc0`)
        .join('\n'),
    ),
  },
]
