import { ServerResponse } from 'node:http'

/**
 * An answer that begins before its request's body has come is the last of its connection, and says so (`Connection: close`, RFC 9112, 9.3). Nobody
 * reads the rest, so the connection is cut soon: a proxy that took it for free would lose somebody else's request there.
 */
export class LastAnswer extends ServerResponse {
  override writeHead(...head: unknown[]): this {
    const { complete, headers } = this.req
    const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
    if (hasBody && !complete) this.shouldKeepAlive = false
    Reflect.apply(super.writeHead, this, head)
    return this
  }
}
