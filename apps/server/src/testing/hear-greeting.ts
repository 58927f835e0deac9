import { WireCall } from './wire-call.js'

/** Of a sample: -40 dB of the loudest there is. */
const AUDIBLE = 328

/** Calls a server's assistant, hears its first word and hangs up. Resolves with the code with which the room ended. */
export async function hearGreeting(server: { url: string; platformKey: string }): Promise<number> {
  const call = await WireCall.join(server, { firstMessage: 'Hello.' }, ['room.v1'])
  let loudest = 0
  call.socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return
    for (let at = 0; at + 1 < data.length; at += 2) loudest = Math.max(loudest, data.readInt16LE(at))
  })
  await call.until('the first word is heard', () => loudest > AUDIBLE)
  call.socket.send('{"type":"hangup"}')
  return (await call.closed).code
}
