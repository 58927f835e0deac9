import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const HASHED = /-[\w-]{8}\.\w+$/
const YEAR_S = 31_536_000

/**
 * A plain file server (HTTP/1.1) for a built page without a router: every path that names no file is `index.html`.
 * Files are read and compressed once, by brotli at its best quality; hashed ones are immutable.
 */
export function fileServer(folder: string): Server {
  const files = new Map<string, { body: Buffer; headers: Record<string, string> }>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath ?? entry.path, entry.name)
    const content = readFileSync(file)
    const body = brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    })
    files.set(`/${relative(folder, file)}`, {
      body,
      headers: {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-encoding': 'br',
        'content-length': String(body.length),
        'cache-control': HASHED.test(file) ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
      },
    })
  }
  const index = files.get('/index.html')
  if (!index) throw new Error(`${folder} holds no index.html: build the page into it first`)
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = files.get(pathname) ?? (extname(pathname) === '' ? index : undefined)
    if (file) response.writeHead(200, file.headers).end(file.body)
    else response.writeHead(404).end()
  })
}
