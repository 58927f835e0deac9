import type { Page } from '@playwright/test'
import { isRoomCode, roomCode } from './room-code.js'
import { API_MS, JOIN_MS, ROOM_CODE_MS } from './timings.js'

const API = 'https://api.vapi.ai'
const CALL = { id: '00000000-0000-4000-8000-000000000001', webCallUrl: 'https://bench.daily.co/room' }
const FROM_ANYWHERE = [
  { name: 'access-control-allow-origin', value: '*' },
  { name: 'access-control-allow-headers', value: '*, authorization' },
  { name: 'access-control-allow-methods', value: '*' },
]

interface Answer {
  afterMs: number
  type: string
  body: string
}

/**
 * The hosted platform and Daily's servers for one page, at their own addresses. Through the DevTools protocol and not
 * through `page.route`, which would turn off the browser's cache.
 */
export async function standInForHosted(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Fetch.enable', {
    patterns: [{ urlPattern: `${API}/*` }, { urlPattern: 'https://*.daily.co/*' }],
  })
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const { afterMs, type, body } = answerTo(request.method, request.url)
    const answer = {
      requestId,
      responseCode: 200,
      responseHeaders: [
        ...FROM_ANYWHERE,
        { name: 'content-type', value: type },
        { name: 'cache-control', value: isRoomCode(request.url) ? 'public, max-age=31536000' : 'no-store' },
      ],
      body: Buffer.from(body).toString('base64'),
    }
    // The page may be gone by then.
    setTimeout(() => session.send('Fetch.fulfillRequest', answer).catch(() => {}), afterMs)
  })
}

function answerTo(method: string, url: string): Answer {
  if (isRoomCode(url)) return { afterMs: ROOM_CODE_MS, type: 'text/javascript', body: roomCode(JOIN_MS) }
  if (method === 'POST' && url === `${API}/call/web`)
    return { afterMs: API_MS, type: 'application/json', body: JSON.stringify(CALL) }
  // Preflights and logs.
  return { afterMs: 0, type: 'application/json', body: '{}' }
}
