import type { CallDesk } from '@heyline/call-desk'
import type { Settings } from '../settings/settings.js'
import type { Handler } from './in-process.js'

/** Where the call desk is asked over HTTP. */
export interface DeskDoors {
  /** `/-/hooks/platform`. */
  hook: Handler
  /** Functions of the backend, by their names. */
  functions: Record<string, Handler>
}

/** What is asked of the desk there. */
export type DeskBehindDoors = Pick<CallDesk, 'hook' | 'webhook'> & {
  webCalls: Pick<CallDesk['webCalls'], 'mint' | 'note'>
}

/**
 * The doors of the desk that is found when somebody asks. They answer with 404 where there is none, and with 503 until it is open: what the
 * platform reports then comes again.
 */
export function deskDoors(
  findDesk: () => DeskBehindDoors | undefined,
  { callDesk, webCalls }: Pick<Settings, 'callDesk' | 'webCalls'>,
): DeskDoors {
  const door =
    (ask: (desk: DeskBehindDoors, request: Request) => Promise<Response>): Handler =>
    async (request) => {
      const desk = findDesk()
      if (desk) return await ask(desk, request)
      return callDesk === 'off' ? deskIsOff() : deskIsOpening()
    }
  return {
    hook: door((desk, request) => desk.hook(request)),
    functions: {
      'call-me': door((desk, request) => (callDesk === 'all' ? desk.webhook(request) : deskIsOff())),
      ...(webCalls === 'minted'
        ? { 'web-call': door((desk, request) => desk.webCalls.mint(request)) }
        : { 'web-call-note': door((desk, request) => desk.webCalls.note(request)) }),
    },
  }
}

const deskIsOpening = () =>
  Response.json(
    { code: 'starting', message: 'The server is still starting: ask again in a second' },
    { status: 503, headers: { 'retry-after': '1' } },
  )

const deskIsOff = async () =>
  Response.json(
    { code: 'desk_off', message: 'The call desk is off: CALL_WEBHOOK_URL names another' },
    { status: 404 },
  )
