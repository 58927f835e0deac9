import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A plain static host: the files of one folder, and its 404.html, with that status, for every other path. */
export class FileServer {
  /** Its origin. */
  readonly url: string
  private readonly server: Server

  private constructor(server: Server, port: number) {
    this.server = server
    this.url = `http://localhost:${port}`
  }

  static async start(folder: string): Promise<FileServer> {
    const server = createServer(async ({ url = '/' }, response) => {
      const file = fileOf(folder, url)
      const content = file && (await readFile(file).catch(() => undefined))
      if (file && content) return send(response, 200, file, content)
      const notFound = join(folder, '404.html')
      return send(response, 404, notFound, await readFile(notFound))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new FileServer(server, (server.address() as AddressInfo).port)
  }

  async stop() {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

function send(response: ServerResponse, status: number, file: string, content: Buffer) {
  const type = CONTENT_TYPES[extname(file)] ?? 'application/octet-stream'
  response.writeHead(status, { 'content-type': type, 'content-length': content.length }).end(content)
}

/** The file that a request's path names; undefined for a path that can't be one. */
function fileOf(folder: string, url: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname)
    return path.includes('\0') ? undefined : join(folder, normalize(path.replace(/\/$/, '/index.html')))
  } catch {
    return undefined
  }
}
