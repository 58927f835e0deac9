import {
  type AssistantParts,
  apiKeyHandlers,
  assistantHandlers,
  callHandlers,
  createOffice,
  createPeople,
  doNotCallHandlers,
  endpointHandlers,
  FileTurns,
  type InstallationParts,
  installationHandlers,
  type KnowledgeParts,
  knowledgeHandlers,
  liveHandlers,
  type NumberBook,
  numberHandlers,
  OperatorsError,
  officeNews,
  operatorHandlers,
  personHandlers,
  safetyHandlers,
  sessionCookie,
  sessionHandlers,
  type TicketParts,
  ticketHandlers,
  ticketNews,
  timelineHandlers,
  timelineNews,
  undoHandlers,
  visitorHandlers,
} from '@heyline/back-office'
import {
  type CallDesk,
  createCallerIds,
  createCallOffice,
  createOperatorDesk,
  LiveFeed,
} from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { PlatformClient } from '@heyline/platform-client'
import { actingAs, createTimeline, type Endpoints } from '@heyline/timeline'
import type { BackendEnd } from '../ends/backend-end.js'
import { NO_SECRET_KEY, type OperatorsEnd } from '../ends/operators-end.js'
import type { CallSettings } from '../settings/call-settings.js'
import { limitRows } from '../settings/limit-rows.js'
import { VERSION } from '../version.js'
import type { VisitorParts } from '../visitors/own-visitors.js'

/** What the operator API says of this installation, and does with its assistant. */
export interface Installation {
  parts: Pick<InstallationParts, 'settings' | 'health' | 'keys' | 'backup'>
  assistant: AssistantParts
  numbers: NumberBook
  knowledge: KnowledgeParts['knowledge']
  tickets: TicketParts['tickets']
}

export interface OfficeParts extends VisitorParts {
  /** The page of a visitor of this name, as HTML without scripts. */
  renderPage: (name: string, scheme: 'light' | 'dark') => Promise<string>
  db: Db
  /** With the private key. */
  platform: PlatformClient
  /** What the gate lets pass. */
  gates: Pick<CallSettings, 'gate' | 'webGate'>
  /** Undefined while our own call desk is off. */
  callDesk?: Pick<CallDesk, 'again'> | undefined
  secretKey: string
  /** Whom to tell what happened. */
  endpoints: Endpoints
  /** The client's address, where it is known. */
  addressOf: (request: Request) => string | undefined
  /** Where the pages are, and the console's cookie is good. */
  publicUrl: string
  /** Of our own pages. */
  origins: readonly string[]
  /** Undefined: only the secret key opens anything. */
  operators: OperatorsEnd | undefined
  /** Undefined where somebody else signs access tokens. */
  rotateKeys?: BackendEnd['rotateKeys']
  installation: Installation
  clock?: Pick<Clock, 'now'>
}

/** `/-/office`: the operator API on the parts of this server. */
export function office({
  visitors,
  visitorSearch: search,
  visitorDesk: desk,
  publicUrl,
  renderPage,
  db,
  platform,
  gates,
  callDesk,
  endpoints,
  operators,
  rotateKeys,
  installation,
  ...access
}: OfficeParts): ReturnType<typeof createOffice> {
  const calls = createCallOffice(db)
  const demanded = () => {
    if (operators) return operators
    throw new OperatorsError('no_secret_key', NO_SECRET_KEY)
  }
  const callOperator = createOperatorDesk(db, platform)
  const fileTurns = new FileTurns()
  return createOffice({
    ...access,
    db,
    version: VERSION,
    operators: operators && { ...operators.doors, access: operators.access },
    cookie: sessionCookie(publicUrl),
    handlers: {
      visitors: visitorHandlers({ visitors, search, desk, publicUrl, fileTurns, renderPage }),
      calls: callHandlers({
        calls,
        callsAs: (actor) => createCallOffice(actingAs(db, actor)),
        desk: callOperator,
        again: callDesk?.again,
        inTurn: installation.assistant.inTurn,
      }),
      doNotCall: doNotCallHandlers(calls, callOperator, fileTurns),
      safety: safetyHandlers({ ...gates, desk: callOperator, limits: limitRows(gates) }),
      timeline: timelineHandlers(createTimeline(db)),
      endpoints: endpointHandlers(endpoints),
      live: liveHandlers(new LiveFeed(db, [officeNews, timelineNews, ticketNews])),
      people: personHandlers(createPeople(db, visitors)),
      operators: operatorHandlers((actor) => demanded().operators.as(actor)),
      session: sessionHandlers(() => demanded().doors),
      apiKeys: apiKeyHandlers(() => demanded().doors.apiKeys),
      assistant: assistantHandlers(installation.assistant),
      installation: installationHandlers({ db, rotateKeys, ...installation.parts }),
      undo: undoHandlers(db),
      knowledge: knowledgeHandlers({ knowledge: installation.knowledge, visitors }),
      tickets: ticketHandlers({ tickets: installation.tickets }),
      numbers: numberHandlers({ book: installation.numbers, callerIds: createCallerIds(db), visitors }),
    },
  })
}
