import { exec } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'

// A program that does what a visitor's browser does: node talking-visitor.js https://demo.example [COMMAND]. It opens the page, calls, hears the greeting,
// has a shell run the command, asks something, hears the answer and hangs up. It prints what came as JSON.

const [origin = '', meanwhile] = process.argv.slice(2)
/** Seconds of sound: a sentence has more. */
const SENTENCE_BYTES = 32_000
const PATIENCE_MS = 20_000

const page = await fetch(`${origin}/default`)
const html = await page.text()
const call = await fetch(`${origin}/-/backend/functions/v1/web-call`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin },
  body: JSON.stringify({ slug: 'default' }),
})
if (!call.ok) throw new Error(`web-call answered ${call.status}: ${await call.text()}`)
const { id, webCallUrl }: { id: string; webCallUrl: string } = await call.json()

const socket = new WebSocket(webCallUrl, ['room.v1'], { origin })
let heard = 0
let loudest = 0
const waiting = new Set<() => void>()
socket.on('message', (data: Buffer, isBinary) => {
  if (isBinary) {
    heard += data.length
    for (let at = 0; at + 1 < data.length; at += 2)
      loudest = Math.max(loudest, Math.abs(data.readInt16LE(at)))
  } else {
    const { type, id: mark } = JSON.parse(data.toString('utf8'))
    if (type === 'room.mark') socket.send(JSON.stringify({ type: 'room.played', id: mark }))
  }
  for (const look of waiting) look()
})
await once(socket, 'open')
await hears('the greeting')
if (meanwhile) await promisify(exec)(meanwhile)
socket.send(
  JSON.stringify({ type: 'add-message', message: { role: 'user', content: 'What are your opening hours?' } }),
)
await hears('the answer')
socket.send('{"type":"room.leave"}')
await once(socket, 'close')

const security = page.headers.get('strict-transport-security')
console.log(
  JSON.stringify({
    id,
    status: page.status,
    isWhole: html.endsWith('</html>\n'),
    security,
    webCallUrl,
    loudest,
  }),
)

/** Resolves once a sentence more has come. */
async function hears(what: string): Promise<void> {
  const before = heard
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Not heard: ${what}`)), PATIENCE_MS)
    const look = () => {
      if (heard < before + SENTENCE_BYTES) return
      clearTimeout(timer)
      waiting.delete(look)
      resolve()
    }
    waiting.add(look)
  })
}
