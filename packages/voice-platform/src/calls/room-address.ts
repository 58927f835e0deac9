/** Where a client joins a call: `ws(s)://…/-/rooms/{id}?secret=…`. */
export function roomAddress(publicUrl: string, callId: string, secret: string): string {
  const url = new URL(`/-/rooms/${callId}`, publicUrl)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('secret', secret)
  return url.href
}
