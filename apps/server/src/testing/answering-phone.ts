import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A pocket phone that answers the next call of this server; resolves with the room. */
export async function answeredRoom(url: string): Promise<string> {
  const line = new WebSocket(`${url.replace('http', 'ws')}/-/carriers/simulated/phones`, ['phone.v1'])
  await once(line, 'open')
  return await new Promise((resolve) =>
    line.on('message', (data: Buffer) => {
      const { type, callId, roomUrl } = JSON.parse(data.toString())
      if (type === 'ring') line.send(JSON.stringify({ type: 'answer', callId }))
      if (type !== 'answered') return
      resolve(roomUrl)
      line.close()
    }),
  )
}

/** A held vowel of 0.4 s, and the silence that ends the turn: 16 kHz PCM16. */
const WORDS = Buffer.from(
  Int16Array.from({ length: 16 * 2000 }, (_, n) => {
    const since = n % 120
    if (n > 16 * 400) return 0
    return 8000 * Math.exp(-since / 30) * (Math.sin(since / 3.6) + 0.6 * Math.sin(since / 1.9))
  }).buffer,
)

/** Says something in this room. What it means, the transcriber decides. */
export function speakIn(room: WebSocket): void {
  for (let at = 0; at < WORDS.length; at += 640) room.send(WORDS.subarray(at, at + 640))
}
