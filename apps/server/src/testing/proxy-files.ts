import { join } from 'node:path'

/** Where an nginx keeps what it would keep where only root may write. */
export const nginxPaths = (directory: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(directory, kind)};\n`)
    .join('')

/** What a file of a test's own is made of. */
export interface FileParts {
  port: number
  /** Such as `127.0.0.1:3000`. */
  server: string
  directory: string
}

/** An nginx of a few lines before one server: these are in its `location /`, besides `proxy_pass`. */
export const nginxOf =
  (lines: string) =>
  ({ port, server, directory }: FileParts): string =>
    `events {}
http {
  access_log off;
  ${nginxPaths(directory)}
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://${server};
      ${lines}
    }
  }
}
`

/** A Caddy before one server, with a certificate of its own authority for this name. */
export const caddyWithTls =
  (name: string) =>
  ({ port, server }: FileParts): string =>
    `{
	admin off
	skip_install_trust
	auto_https disable_redirects
}
https://${name}:${port} {
	bind 127.0.0.1
	tls internal
	reverse_proxy ${server}
}
`
