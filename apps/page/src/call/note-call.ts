/** Tells our server, where it wants to know, for which visitor a call is. Nobody waits for that, and nothing depends on it. */
export function noteCall(url: string | undefined, note: { slug: string; callId: string }): void {
  if (!url) return
  const headers = { 'content-type': 'application/json' }
  fetch(url, { method: 'POST', headers, body: JSON.stringify(note), keepalive: true }).catch(console.debug)
}
