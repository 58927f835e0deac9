import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SpeechEngines {
  /** For `TRANSCRIBER_URL` and `VOICE_URL`. */
  url: string
  close(): void
}

/** A transcriber that hears what `heard` says, whatever it gets, and a voice that takes 0.4 s for any sentence. */
export async function openSpeechEngines(
  heard: () => string | undefined | Promise<string>,
): Promise<SpeechEngines> {
  const server = createServer(async (request, response) => {
    await request.resume().toArray()
    if (request.url?.endsWith('/transcriptions')) {
      response.end(JSON.stringify({ text: await heard() }))
      return
    }
    response.setHeader('content-type', 'audio/pcm')
    response.end(Buffer.from(new Int16Array(0.4 * 24_000).fill(1000).buffer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
