import { randomUUID } from 'node:crypto'
import { systemClock } from '@heyline/kit/clock'
import { GRACE_MS } from '@heyline/room-protocol'
import type { Logger } from 'pino'
import { CallAnalyses } from './analysis/call-analyses.js'
import { AssistantStore } from './assistants/assistant-store.js'
import { StoredServers } from './assistants/stored-servers.js'
import { AnsweringServer } from './calls/answering-server.js'
import { CallArchive } from './calls/call-archive.js'
import { CallControl } from './calls/call-control.js'
import { drainCalls } from './calls/call-drain.js'
import { CallProgress } from './calls/call-progress.js'
import { CallRetention } from './calls/call-retention.js'
import type { CallRow } from './calls/call-row.js'
import { CallStore } from './calls/call-store.js'
import { CallTools } from './calls/call-tools.js'
import { callerId } from './calls/caller-id.js'
import { Conversations } from './calls/conversations.js'
import { House } from './calls/house.js'
import { IncomingCalls } from './calls/incoming-calls.js'
import { InstallationRoom } from './calls/installation-room.js'
import { OldFigures } from './calls/old-figures.js'
import { PhoneCalls } from './calls/phone-calls.js'
import { ProcessLease } from './calls/process-lease.js'
import { PublicWebCalls } from './calls/public-calls.js'
import { ServerMessages } from './calls/server-messages.js'
import { Transfers } from './calls/transfers.js'
import { WebCalls } from './calls/web-calls.js'
import type { CarrierRooms } from './carriers/carrier.js'
import { type DefaultResources, ensureDefaults } from './default-resources.js'
import { enginesForCall } from './engines/engine.js'
import { CallKnowledge } from './knowledge/call-knowledge.js'
import { SignedFileLinks } from './knowledge/file-links.js'
import { Knowledge } from './knowledge/knowledge.js'
import { KnowledgeBaseStore, SERVER_PLACE } from './knowledge/knowledge-base-store.js'
import { PassageSearch } from './knowledge/passage-search.js'
import { queryTools } from './knowledge/query-tool.js'
import { CallEntries } from './logs/call-entries.js'
import { LogStore } from './logs/log-store.js'
import { PlatformLog } from './logs/platform-log.js'
import { openPhoneNumbers } from './numbers/open-phone-numbers.js'
import { openRecordings } from './open-recordings.js'
import { openRelay } from './open-relay.js'
import { openResources } from './open-resources.js'
import { openWriting } from './open-writing.js'
import { OrgStore } from './orgs/org-store.js'
import { OrgTokens } from './orgs/org-token.js'
import type { VoicePlatform, VoicePlatformOptions } from './platform-port.js'
import { Doorkeeper } from './rest/access.js'
import { createApi } from './rest/api.js'
import { API_PATH } from './rest/api-path.js'
import { DailyClients } from './rest/daily-clients.js'
import { MemberTurns } from './rest/member-turns.js'
import { RoomDoor } from './rooms/room-door.js'
import { SeatStore } from './rooms/seat-store.js'
import { startSession as startSessionAt } from './session/running-session.js'
import type { StartSession } from './session/session.js'
import { Tickets } from './tickets/tickets.js'
import { TokenStore } from './tokens/token-store.js'
import { guardedFetch } from './tools/guarded-fetch.js'
import { BUILT_IN_VOICES, VoiceLibrary } from './voice-library/voice-library.js'
import { Retries } from './work/retries.js'

/** The built-in voice platform on one database, which other processes may share. First it ends the calls that dead processes left. */
export function createVoicePlatform(options: VoicePlatformOptions): VoicePlatform {
  const { db, publicUrl, keys, engines, carrier, logger } = options
  const clock = options.clock ?? systemClock
  const startSession: StartSession = (session) => {
    const own = enginesForCall(session.engines, session.link)
    return startSessionAt({ ...session, engines: session.usage?.of(own) ?? own }, clock)
  }
  const { relay } = options
  const owner = relay?.processId ?? randomUUID()

  const store = new CallStore(db, owner)
  const assistants = new AssistantStore(db, options.resourcesKey)
  const analyses = new CallAnalyses({ model: engines.model, store, prices: options.prices, clock, logger })
  const { recordings, recordingUrls, downloads } = openRecordings({
    ...{ db, recording: options.recording, publicUrl, owner, relay, clock, logger },
  })
  const log = new PlatformLog({ db, clock, logger })
  const servers = new StoredServers(options.resourcesKey)
  const guarded = guardedFetch({ allowPrivate: options.toolsAllowPrivate ?? false })
  const messages = new ServerMessages({
    watch: new CallEntries(log),
    conclude: (row) => analyses.of(row),
    ...(options.server && { server: options.server }),
    servers,
    recordingUrls,
    fetch: options.fetch ?? fetch,
    guardedFetch: guarded,
    clock,
    logger,
  })
  const progress = new CallProgress(store, messages)
  const retries = new Retries(clock)
  const house = new House(options.conversationsMost)
  const installation = new InstallationRoom({ db, owner, most: house.most, clock })
  const transfers = new Transfers({ db, carrier, gate: options.transferGate, logger })
  const passages = new PassageSearch(db, clock)
  const callTools = new CallTools({
    allowPrivate: options.toolsAllowPrivate ?? false,
    server: options.server,
    servers,
    makers: { query: (settings) => queryTools({ db, passages }, [settings])[0] },
    clock,
  })
  const resources = openResources(db, assistants, options.resourcesKey)
  const bases = new KnowledgeBaseStore(db, new StoredServers(options.resourcesKey, SERVER_PLACE))
  const knowledgeOf = (call: CallRow, log: Logger) => {
    const { knowledgeBaseId, knowledgeBase } = call.assistant.model ?? {}
    const visitor = options.visitorOf && (() => options.visitorOf?.(call.id) ?? Promise.resolve(undefined))
    if (knowledgeBaseId === undefined && !knowledgeBase && !visitor) return undefined
    const scope = { knowledgeBaseId, knowledgeBase, ...(visitor && { visitor }) }
    const servers = { bases, ask: callTools.asker(call) }
    return new CallKnowledge({ db, passages, servers, scope, clock, logger: log })
  }
  const conversations = new Conversations({
    storedTools: resources.tools,
    toolSecrets: assistants.secrets,
    findAssistant: (id) => assistants.find(id),
    knowledgeOf,
    ...{ startSession, engines, progress, retries, house, transfers, callTools, clock, logger },
    ...{ measures: options.measures, prices: options.prices, recordings },
  })
  const { scripts } = resources
  const shared = { store, assistants, scripts, progress, retries, conversations, house, engines, logger }

  let defaults: Promise<DefaultResources> | undefined
  const findDefaults = () => {
    defaults ??= ensureDefaults(db).catch((error: unknown) => {
      defaults = undefined
      throw error
    })
    return defaults
  }

  const voices = options.voices ?? BUILT_IN_VOICES
  const voiceId = voices[0]?.providerId ?? engines.voice.name
  const webCalls = new WebCalls({ ...shared, installation, publicUrl, clock, voiceId })
  const publicCalls = new PublicWebCalls({ ...options.publicCalls, assistants, webCalls, clock, logger })
  const { numbers, numberStore } = openPhoneNumbers(db, options.numberAccount, servers)
  const writing = openWriting(options, {
    ...{ assistants, callTools, tools: resources.tools, suites: resources.suites, numbers: numberStore },
    ...{ knowledgeOf, passages, bases, publicCalls, retries, clock },
  })
  // Any process may have made another one the default.
  const defaultNumberId = async () =>
    (await numberStore.default())?.id ?? (await ensureDefaults(db)).phoneNumberId
  const incoming = new IncomingCalls({
    ...{ ...shared, db, carrier, admit: options.admitIncoming },
    ...{ numbers: numberStore, servers },
    answering: new AnsweringServer({ allowPrivate: options.toolsAllowPrivate ?? false, clock }),
    callsBack: options.callsBack ?? 'attested',
    clock,
  })
  const { campaigns } = options
  const campaignOf = async (name: string) => await campaigns?.()?.ofCall(name)
  const phoneCalls = new PhoneCalls({ ...shared, db, carrier, incoming, defaultNumberId, campaignOf, clock })

  const letGo = ({ id, type }: Pick<CallRow, 'id' | 'type'>) => {
    if (type !== 'webCall') void phoneCalls.hangUp(id)
  }
  const others = openRelay({
    ...{ db, owner, relay, clock, logger },
    async endCallsOf(gone) {
      for (const call of await progress.endCallsOf(gone, 'worker-shutdown')) letGo(call)
    },
  })
  let phoneJoined: Parameters<CarrierRooms['onJoin']>[0] = (_callId, link) => link.close('manually-canceled')
  const door = new RoomDoor({
    seats: new SeatStore(db),
    holders: others.holders,
    graceMs: options.graceMs ?? GRACE_MS,
    callerWords: engines.transcriber.withWords !== undefined,
    publicUrl,
    clock,
    logger,
    hasRoomFor: (callId) => webCalls.hasRoomFor(callId),
    onJoined(call, link, gone) {
      if (call.type === 'outboundPhoneCall') return phoneJoined(call.id, link, gone)
      webCalls.joined(call, link)
    },
  })
  carrier.connect(phoneCalls, {
    address: (callId) => door.address(callId),
    onJoin(joined) {
      phoneJoined = joined
    },
    guestAddress: (id, secret, callId) => door.guestAddress(id, secret, callId),
    openGuestRoom: (id, guest) => door.openGuestRoom(id, guest),
    ...(others.askHolder && { askHolder: others.askHolder }),
  })

  const lease = new ProcessLease({
    ...{ db, owner, progress, clock, logger, letGo },
    relayAddress: relay?.address,
    held: () => conversations.held(),
    running: () => conversations.running(),
    end: (callId, reason) => conversations.end(callId, reason),
  })
  const archive = new CallArchive(db)
  const control = new CallControl({
    ...{ db, archive, conversations, phoneCalls, progress, logger },
    relay: others.sendControl,
  })
  others.answer(control, carrier, downloads)
  const oldFigures = new OldFigures({ db, logger })
  const retention = new CallRetention({ db, keeping: options.keeping ?? {}, clock, logger })
  const started = lease
    .start()
    .then(() => installation.tell())
    .then(() => control.start())
    .then(() => others.start())
  // Nothing waits for what is old.
  started.then(
    () => {
      retention.start()
      oldFigures.start()
      recordings?.start()
    },
    () => undefined,
  )
  started.catch((error: unknown) => logger.error({ err: error }, 'voice platform not started'))

  const tokens = new TokenStore(db, clock)
  const knowledge = new Knowledge(db, { mostBytes: options.knowledgeMostBytes, bases })
  const tickets = new Tickets(db)
  const orgTokens = new OrgTokens(keys.private, clock)
  const { people } = options
  const apiUrl = options.apiUrl ?? new URL(API_PATH, publicUrl).href
  const api = createApi({
    ...{
      db,
      clock,
      log,
      logs: new LogStore(db),
      voiceLibrary: new VoiceLibrary(voices, new Date(clock.now())),
      assistants,
      scripts,
      tokens,
      webCalls,
      publicCalls,
      ...writing,
      phoneCalls,
      numbers,
      numberStore,
      knowledge,
      tickets,
      control,
      archive,
      recordingUrls,
      orgTokens,
      people,
      campaigns,
      credentials: resources.credentials,
      voices: resources.voices,
      logger,
    },
    orgs: new OrgStore(db),
    families: resources.families(numberStore, writing.testRuns),
    fetch: options.fetch ?? fetch,
    guardedFetch: guarded,
    apiUrl,
    fileLinks: new SignedFileLinks(keys.private, apiUrl, clock),
    doorkeeper: new Doorkeeper(
      keys,
      tokens,
      options.placeOf,
      { orgTokens, people },
      clock,
      new MemberTurns(db.kind, clock),
    ),
    dailyClients: new DailyClients({ clock, logger }),
    ready: started,
    origins: [new URL(publicUrl).origin, ...(options.allowedOrigins ?? [])],
  })

  const shutDown = async () => {
    await started.catch(() => undefined)
    await writing.chats.close()
    incoming.close()
    await control.close()
    await others.close()
    await retention.close()
    await oldFigures.close()
    webCalls.close()
    const over = Promise.all([conversations.endAll('worker-shutdown'), writing.testRuns.close()])
    await retries.close()
    await over
    await recordings?.close()
    try {
      for (const { id, type } of await progress.endOwn('worker-shutdown'))
        if (type !== 'webCall') await phoneCalls.hangUp(id)
      await phoneCalls.idle()
      await lease.end()
    } catch (error) {
      logger.error({ err: error }, 'calls of this process not ended; the next process ends them')
      await lease.stop()
    }
    analyses.close()
    await messages.close()
    await log.close()
    logger.info('voice platform closed')
  }
  let closing: Promise<void> | undefined
  return {
    fetch: async (request) => api.fetch(request),
    recording: (request) => downloads?.fetch(request) ?? Promise.resolve(new Response(null, { status: 404 })),
    join: (socket, callId, search, from) =>
      closing ? socket.close(1012, 'restarting') : door.join(socket, callId, search, from),
    elsewhere(callId, search, upgrade) {
      const asked = closing ? undefined : door.holderOf(callId, search, upgrade.from)
      return asked && others.elsewhere(asked, upgrade)
    },
    defaults: findDefaults,
    house: () => (carrier.canDial?.() === false ? { ...house.figures, phoneRoom: 0 } : house.figures),
    places: () => installation.places(),
    numbers,
    numberStore,
    knowledge,
    tickets,
    async sendText({ to, body, phoneNumberId }) {
      const from = await callerId(db, phoneNumberId ?? (await defaultNumberId()))
      await carrier.sendText({ to, from, body })
    },
    drain(plan) {
      carrier.leave?.()
      // What this process holds is no room any more. Where the others are not told, they learn it when it is gone.
      installation
        .tell(0)
        .catch((error: unknown) => logger.warn({ err: error }, 'the others are not told of the drain'))
      return drainCalls({ ...shared, voice: engines.voice, clock }, plan)
    },
    close: () => {
      closing ??= shutDown()
      return closing
    },
  }
}
