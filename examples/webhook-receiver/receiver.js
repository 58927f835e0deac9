// Is told what happens on Heyline's pages: checks who says so, and prints it.
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const LONGEST_BODY = 65_536
/** So many messages are remembered, so that one that is sent again is not dealt with twice. */
const REMEMBERED = 10_000

const { PORT = '4001', EVENTS_SECRET = '' } = process.env
if (!EVENTS_SECRET) {
  console.error('Set EVENTS_SECRET to the secret that Heyline signs with')
  process.exit(1)
}
// Of two secrets, while one is exchanged, the first is the new one.
const webhooks = EVENTS_SECRET.split(',').map((secret) => new Webhook(secret))
/** @type {Set<string>} */
const known = new Set()

const server = createServer(async (request, response) => {
  response.writeHead(await statusFor(request)).end()
})
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`Waiting at http://localhost:${address?.port}/events`)
})

/** @param {import('node:http').IncomingMessage} request */
async function statusFor(request) {
  if (request.method !== 'POST') return 405
  const body = await bodyOf(request)
  const headers = /** @type {Record<string, string>} */ (request.headers)
  // The signature is of the bytes as they came: check them before you read them.
  if (!webhooks.some((webhook) => isSigned(webhook, body, headers))) return 401
  const id = String(headers['webhook-id'])
  if (known.has(id)) return 204
  const { type, timestamp, data } = JSON.parse(body)
  // Here your own program takes over. Answer within ten seconds: put what takes longer into a queue.
  console.log(`${timestamp} ${type} ${data.slug ?? '-'} ${data.link}`)
  known.add(id)
  const [oldest] = known
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
  return 204
}

/** @param {Webhook} webhook @param {string} body @param {Record<string, string>} headers */
function isSigned(webhook, body, headers) {
  try {
    webhook.verify(body, headers)
    return true
  } catch {
    return false
  }
}

/**
 * The request's body; nothing for one that is too long or was cut off.
 * @param {import('node:http').IncomingMessage} request
 */
async function bodyOf(request) {
  let body = ''
  try {
    for await (const piece of request.setEncoding('utf8')) if (body.length <= LONGEST_BODY) body += piece
    return body.length <= LONGEST_BODY ? body : ''
  } catch {
    return ''
  }
}
