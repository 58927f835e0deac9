// Stands behind CALL_WEBHOOK_URL: takes the requests for calls that Heyline's pages post.
import { createServer } from 'node:http'

const LONGEST_BODY = 16_384
const E164 = /^\+[1-9]\d{1,14}$/

const { PORT = '4000', PAGE_ORIGIN = 'http://localhost:3000' } = process.env

const server = createServer(async (request, response) => {
  response.setHeader('access-control-allow-origin', PAGE_ORIGIN)
  response.setHeader('access-control-allow-headers', 'content-type')
  response.writeHead(await statusFor(request)).end()
})
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`Waiting at http://localhost:${address?.port}/calls`)
})

/** @param {import('node:http').IncomingMessage} request */
async function statusFor(request) {
  // A browser asks first whether a page of another origin may post JSON here.
  if (request.method === 'OPTIONS') return 204
  if (request.method !== 'POST') return 405
  const wanted = read(await bodyOf(request))
  if (!wanted) return 400
  // Here your own program takes over: it puts the call into a queue, a CRM or a dialler.
  console.log(`${wanted.slug}: call ${wanted.phone}`)
  return 202
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

/** @param {string} body @returns {{ phone: string, slug: string } | undefined} */
function read(body) {
  try {
    const { phone, slug } = JSON.parse(body)
    const isRequest = typeof phone === 'string' && E164.test(phone) && typeof slug === 'string'
    return isRequest ? { phone, slug } : undefined
  } catch {
    return undefined // Not a JSON object.
  }
}
