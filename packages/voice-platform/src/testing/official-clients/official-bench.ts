import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Db } from '@heyline/database'
import { PlatformClient } from '@heyline/platform-client'
import type { CampaignDesk } from '../../campaigns/campaign-desk.js'
import type { NumberAccount } from '../../carriers/number-account.js'
import type { Model, ModelMessage } from '../../engines/engine.js'
import type { OrgPeople } from '../../orgs/org-people.js'
import { ApiError } from '../../resources/api-error.js'
import { listen, shut } from '../local-server.js'
import { NangoStandIn } from '../nango-stand-in.js'
import { KEYS, startPlatform } from '../platform-bench.js'
import { ScriptedEngines } from '../scripted-engines.js'

export const ADA = '00000000-0000-4000-8000-00000000000a'
export const BOB = '00000000-0000-4000-8000-00000000000b'
/** Of Bob's, who may read. */
export const VIEWERS_KEY = 'the-key-of-a-viewer'
const AT = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' }

/** Answers each caller, plays the tester of test runs, and judges them. */
const model: Model = {
  name: 'actor',
  async *reply(messages: readonly ModelMessage[]) {
    const prompt = messages[0]?.content ?? ''
    if (prompt.startsWith('You judge')) yield '{"result": "pass", "reasoning": "It names the price."}'
    else if (prompt.startsWith('You play'))
      yield messages.length > 3 ? 'Thanks. Goodbye!' : 'What does bread cost?'
    else {
      yield 'Bread costs '
      yield 'two dollars.'
    }
  },
}

/** Every number is its own, and is called here. */
const numberAccount: NumberAccount = {
  sid: 'AC1',
  find: async () => 'bought',
  inbound: async () => ({ to: 'here' }),
  receive: async () => false,
}

/** Two members, and what was done to them. */
function peopleOf(done: string[]): OrgPeople {
  return {
    mayBeMember: (bearer) => bearer === VIEWERS_KEY,
    async enter(_, need) {
      if (need.role !== 'viewer')
        throw new ApiError(403, `This needs the role ${need.role}: you are a viewer.`)
      return { name: 'bob@example.com', userId: BOB, role: 'viewer' }
    },
    list: async () => [
      { id: ADA, email: 'ada@example.com', role: 'admin', ...AT },
      { id: BOB, email: 'bob@example.com', role: 'viewer', ...AT },
    ],
    async invite(_, __, email, role) {
      done.push(`invites ${email} as ${role}`)
      return {}
    },
    setRole: async (_, __, userId, role) => void done.push(`makes ${userId} ${role}`),
    remove: async (_, __, userId) => void done.push(`removes ${userId}`),
  }
}

/** A platform with all that it can have, behind HTTP as clients reach it. `campaignsOf`: of a desk that calls by this client. */
export async function startOfficialBench(
  db: Db,
  campaignsOf: (platform: PlatformClient) => CampaignDesk | undefined,
) {
  const done: string[] = []
  const { transcriber, voice } = new ScriptedEngines()
  let answer = (_: Request): Promise<Response> => Promise.reject(new Error('The platform has not started.'))
  const http = createServer((incoming, outgoing) => {
    answer(requestOf(incoming))
      .then((response) => send(response, outgoing))
      .catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined))
  })
  const baseUrl = await listen(http)
  const nango = await new NangoStandIn().start()
  let campaigns: CampaignDesk | undefined
  const bench = await startPlatform(db, {
    campaigns: () => campaigns,
    ...{ engines: { transcriber, model, voice }, people: peopleOf(done), resourcesKey: Buffer.alloc(32, 7) },
    ...{ numberAccount, apiUrl: baseUrl, toolsAllowPrivate: true },
    prices: {
      ...{ modelInputPerMillion: 1, modelOutputPerMillion: 2, transcriberPerMinute: 1 },
      ...{ voicePerThousand: 1, platformPerMinute: 1 },
    },
  })
  answer = (request) => bench.platform.fetch(request)
  campaigns = campaignsOf(new PlatformClient({ token: KEYS.private, baseUrl }))
  return {
    db,
    baseUrl,
    key: KEYS.private,
    /** What members had done to them. */
    done,
    nango,
    async close() {
      await bench.close()
      await nango.close()
      await shut(http)
    },
  }
}

export type OfficialBench = Awaited<ReturnType<typeof startOfficialBench>>

function requestOf(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const given: RequestInit & { duplex?: 'half' } = {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(hasBody && { body: Readable.toWeb(incoming) as unknown as ReadableStream, duplex: 'half' as const }),
  }
  return new Request(`http://platform${url}`, given)
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) await pipeline(Readable.fromWeb(response.body as unknown as NodeStream), outgoing)
  else outgoing.end()
}
