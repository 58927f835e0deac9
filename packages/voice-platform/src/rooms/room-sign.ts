/**
 * What the address of a room answers to a request that is no WebSocket's, such as that of a person who opens it in a browser. The connection
 * is over with it: one header says both, so a client's `Connection: close` would be forgotten without.
 */
export const roomSign = (): Response =>
  Response.json(
    {
      code: 'upgrade_required',
      message:
        'This is the address of a call room on a WebSocket, and no Daily room: join it with @heyline/web-call, or with any client of the vapi.websocket transport. @vapi-ai/web and daily-js cannot join it',
    },
    {
      status: 426,
      headers: { upgrade: 'websocket', connection: 'upgrade, close', 'cache-control': 'no-store' },
    },
  )
