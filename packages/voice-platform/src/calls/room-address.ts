/** Where a client joins a call: `ws(s)://…/-/rooms/{id}?secret=…`. For a guest's room, `call` is the call that the guest is joined into. */
export function roomAddress(publicUrl: string, id: string, secret: string, call?: string): string {
  const url = new URL(`/-/rooms/${id}`, publicUrl)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  if (call !== undefined) url.searchParams.set('call', call)
  url.searchParams.set('secret', secret)
  return url.href
}
