import { randomUUID } from 'node:crypto'
import { systemClock } from '@heyline/kit/clock'
import { GRACE_MS } from '@heyline/room-protocol'
import type { Logger } from 'pino'
import { CallAnalyses } from './analysis/call-analyses.js'
import { AssistantStore } from './assistants/assistant-store.js'
import { storedTools, TOOL_FAMILY } from './assistants/tool-schema.js'
import { withoutToolSecrets } from './assistants/tool-secrets.js'
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
import { recentTranscripts } from './calls/recent-transcripts.js'
import { ServerMessages } from './calls/server-messages.js'
import { Transfers } from './calls/transfers.js'
import { WebCalls } from './calls/web-calls.js'
import type { CarrierRooms } from './carriers/carrier.js'
import { openChats } from './chats/open-chats.js'
import { type DefaultResources, ensureDefaults } from './default-resources.js'
import { enginesForCall } from './engines/engine.js'
import { CallKnowledge } from './knowledge/call-knowledge.js'
import { SignedFileLinks } from './knowledge/file-links.js'
import { Knowledge } from './knowledge/knowledge.js'
import { queryTools } from './knowledge/query-tool.js'
import { CallEntries } from './logs/call-entries.js'
import { LogStore } from './logs/log-store.js'
import { PlatformLog } from './logs/platform-log.js'
import { NumberServers } from './numbers/number-server.js'
import { openPhoneNumbers } from './numbers/open-phone-numbers.js'
import { OrgStore } from './orgs/org-store.js'
import { OrgTokens } from './orgs/org-token.js'
import type { VoicePlatform, VoicePlatformOptions } from './platform-port.js'
import { RecordingDownloads } from './recording/recording-download.js'
import { RecordingUrls } from './recording/recording-url.js'
import { Recordings } from './recording/recordings.js'
import { HolderStore } from './relay/holder-store.js'
import { LostProcesses } from './relay/lost-processes.js'
import { Neighbours } from './relay/neighbours.js'
import type { Holder } from './relay/reach-process.js'
import type { Relay } from './relay/relay.js'
import { type ClientUpgrade, RoomRelay } from './relay/room-relay.js'
import { isCallId } from './resources/call-id.js'
import { ResourceStore } from './resources/resource-store.js'
import { Doorkeeper } from './rest/access.js'
import { createApi } from './rest/api.js'
import { refuseForeignNumbers } from './rest/assistant-routes.js'
import { DailyClients } from './rest/daily-clients.js'
import { credentialStore, openSuites, storedFamilies, suiteFamilies } from './rest/families.js'
import { RoomDoor } from './rooms/room-door.js'
import { SeatStore } from './rooms/seat-store.js'
import { startSession as startSessionAt } from './session/running-session.js'
import type { StartSession } from './session/session.js'
import { refuseBrokenSquad } from './squads/squad-check.js'
import { SQUAD_FAMILY, squadSettings } from './squads/squad-schema.js'
import { TestRuns } from './test-runs/test-runs.js'
import { VoiceShelf } from './third-parties/voice-shelf.js'
import { TokenStore } from './tokens/token-store.js'
import { BUILT_IN_VOICES, VoiceLibrary } from './voice-library/voice-library.js'
import { Retries } from './work/retries.js'
import { WORKFLOW_FAMILY, workflowSettings } from './workflows/workflow-schema.js'
import { WorkflowWriter } from './workflows/workflow-writer.js'

/** Where one process sends another a control message that is too long for a notification. */
const CONTROL_PATH = '/control'
/** Where it asks the carrier of another one about a call, whose id follows. */
const CARRIER_PATH = '/carrier/'

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
  const holders = relay && new HolderStore(db, owner)

  const store = new CallStore(db, owner)
  const assistants = new AssistantStore(db, options.resourcesKey)
  const analyses = new CallAnalyses({ model: engines.model, store, prices: options.prices, clock, logger })
  const { recording } = options
  const recordings = recording && new Recordings({ ...recording, ...{ db, process: owner, clock, logger } })
  const recordingUrls = recording && new RecordingUrls({ publicUrl, key: recording.key, clock })
  const downloads =
    recordings &&
    recordingUrls &&
    new RecordingDownloads({
      ...{ folder: recordings.folder, store: recordings.store, urls: recordingUrls, relay, clock, logger },
    })
  const log = new PlatformLog({ db, clock, logger })
  const servers = new NumberServers(options.resourcesKey)
  const messages = new ServerMessages({
    watch: new CallEntries(log),
    conclude: (row) => analyses.of(row),
    ...(options.server && { server: options.server }),
    servers,
    recordingUrls,
    fetch: options.fetch ?? fetch,
    clock,
    logger,
  })
  const progress = new CallProgress(store, messages)
  const retries = new Retries(clock)
  const house = new House(options.conversationsMost)
  const installation = new InstallationRoom({ db, owner, most: house.most, clock })
  const transfers = new Transfers({ db, carrier, gate: options.transferGate, logger })
  const callTools = new CallTools({
    allowPrivate: options.toolsAllowPrivate ?? false,
    server: options.server,
    servers,
    makers: { query: (settings) => queryTools(db, [settings])[0] },
    clock,
  })
  const toolStore = new ResourceStore(db, TOOL_FAMILY, options.resourcesKey)
  const toolsInside = {
    stored: <Value>(settings: Value, before?: Value) => assistants.secrets.sealed(settings, before),
    shown: withoutToolSecrets,
  }
  const squadStore = new ResourceStore(db, SQUAD_FAMILY, options.resourcesKey, toolsInside)
  const knowledgeOf = (call: CallRow, log: Logger) => {
    const knowledgeBaseId = call.assistant.model?.knowledgeBaseId
    const visitor = options.visitorOf && (() => options.visitorOf?.(call.id) ?? Promise.resolve(undefined))
    if (knowledgeBaseId === undefined && !visitor) return undefined
    const scope = { knowledgeBaseId, ...(visitor && { visitor }) }
    return new CallKnowledge({ db, scope, clock, logger: log })
  }
  const conversations = new Conversations({
    storedTools: toolStore,
    toolSecrets: assistants.secrets,
    findAssistant: (id) => assistants.find(id),
    knowledgeOf,
    ...{ startSession, engines, progress, retries, house, transfers, callTools, clock, logger },
    ...{ measures: options.measures, prices: options.prices, recordings },
  })
  const workflowStore = new ResourceStore(db, WORKFLOW_FAMILY, options.resourcesKey, toolsInside)
  const scripts = { squads: squadStore, workflows: workflowStore }
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
  const suites = openSuites(db, options.resourcesKey, toolsInside)
  const testRuns = new TestRuns({
    ...{ db, ...suites, callTools, storedTools: toolStore, toolSecrets: assistants.secrets, knowledgeOf },
    find: (id) => assistants.find(id),
    findNumber: (id) => numberStore.get(id),
    ...{ model: engines.model, prices: options.prices, retries, clock, logger },
  })
  const workflowWriter = new WorkflowWriter({
    ...{ model: engines.model, clock, transcripts: () => recentTranscripts(db) },
    findTool: (id) => toolStore.get(id),
  })
  const writing = openChats({
    ...{
      db,
      assistants,
      callTools,
      storedTools: toolStore,
      toolSecrets: assistants.secrets,
      publicCalls,
      logger,
      clock,
    },
    ...{ model: engines.model, prices: options.prices, visitorOf: options.visitorOf },
    placeOf: options.placeOf,
    ...{ server: options.server, fetch: options.fetch ?? fetch },
  })
  const checkSquad = (squad: Record<string, unknown>) => refuseBrokenSquad(squad, (id) => assistants.find(id))
  // Any process may have made another one the default.
  const defaultNumberId = async () =>
    (await numberStore.default())?.id ?? (await ensureDefaults(db)).phoneNumberId
  const incoming = new IncomingCalls({
    ...{ ...shared, db, carrier, admit: options.admitIncoming },
    ...{ numbers: numberStore, servers },
    answering: new AnsweringServer({ allowPrivate: options.toolsAllowPrivate ?? false, clock }),
    callsBack: options.callsBack ?? 'attested',
  })
  const phoneCalls = new PhoneCalls({ ...shared, db, carrier, incoming, defaultNumberId })

  let phoneJoined: Parameters<CarrierRooms['onJoin']>[0] = (_callId, link) => link.close('manually-canceled')
  const door = new RoomDoor({
    seats: new SeatStore(db),
    holders,
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
  const askHolder = async (by: Relay, callId: string, question: string) => {
    try {
      const holder = isCallId(callId) ? await holders?.of(callId) : undefined
      return holder && (await by.post(holder, CARRIER_PATH + callId, question))
    } catch (error) {
      logger.warn({ callId, err: error }, 'the server that holds a call was not asked about it')
      return undefined
    }
  }
  carrier.connect(phoneCalls, {
    address: (callId) => door.address(callId),
    onJoin(joined) {
      phoneJoined = joined
    },
    guestAddress: (id, secret, callId) => door.guestAddress(id, secret, callId),
    openGuestRoom: (id, guest) => door.openGuestRoom(id, guest),
    ...(relay && { askHolder: (callId, question) => askHolder(relay, callId, question) }),
  })

  const letGo = ({ id, type }: Pick<CallRow, 'id' | 'type'>) => {
    if (type !== 'webCall') void phoneCalls.hangUp(id)
  }
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
    relay:
      relay &&
      (async (callId, payload) => {
        const holder = await holders?.of(callId)
        return holder !== undefined && (await relay.post(holder, CONTROL_PATH, payload)) !== undefined
      }),
  })
  if (downloads) relay?.onAsked((request) => downloads.fetch(request, { isRelayed: true }))
  relay?.onPosted(async (path, body) => {
    if (path === CONTROL_PATH) return control.take(body) ? '' : undefined
    return path.startsWith(CARRIER_PATH) ? carrier.answer?.(path.slice(CARRIER_PATH.length), body) : undefined
  })
  const lost = new LostProcesses({
    ...{ db, processId: owner, clock, logger },
    async endCalls(gone) {
      for (const call of await progress.endCallsOf(gone, 'worker-shutdown')) letGo(call)
    },
  })
  const neighbours = relay && new Neighbours({ db, relay, clock, logger })
  const roomRelay = relay && neighbours && new RoomRelay({ relay, neighbours, lost, clock, logger })
  const elsewhere = async (asked: Promise<Holder | undefined>, upgrade: ClientUpgrade) => {
    // A database that cannot be asked is the door's to explain.
    const holder = await asked.catch(() => undefined)
    return holder && (await roomRelay?.to(holder, upgrade))
  }
  const oldFigures = new OldFigures({ db, logger })
  const retention = new CallRetention({ db, keeping: options.keeping ?? {}, clock, logger })
  const started = lease
    .start()
    .then(() => installation.tell())
    .then(() => control.start())
    .then(() => (relay ? lost.start() : undefined))
    .then(() => neighbours?.start())
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
  const knowledge = new Knowledge(db, { mostBytes: options.knowledgeMostBytes })
  const orgTokens = new OrgTokens(keys.private, clock)
  const { people } = options
  const apiUrl = options.apiUrl ?? new URL('/-/platform', publicUrl).href
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
      control,
      archive,
      recordingUrls,
      orgTokens,
      people,
      workflowWriter,
      logger,
    },
    orgs: new OrgStore(db),
    families: [
      {
        ...{ path: 'tool', title: 'Tool', store: toolStore, settings: storedTools },
        check: (tool) => refuseForeignNumbers([tool], numberStore),
      },
      { path: 'workflow', title: 'Workflow', store: workflowStore, settings: workflowSettings },
      { ...{ path: 'squad', title: 'Squad', store: squadStore, settings: squadSettings }, check: checkSquad },
      ...storedFamilies(db, options.resourcesKey),
      ...suiteFamilies(suites, testRuns),
    ],
    credentials: credentialStore(db, options.resourcesKey),
    voices: new VoiceShelf(db),
    fetch: options.fetch ?? fetch,
    apiUrl,
    fileLinks: new SignedFileLinks(keys.private, apiUrl, clock),
    doorkeeper: new Doorkeeper(keys, tokens, options.placeOf, { orgTokens, people }),
    dailyClients: new DailyClients({ clock, logger }),
    ready: started,
    origins: [new URL(publicUrl).origin, ...(options.allowedOrigins ?? [])],
  })

  const shutDown = async () => {
    await started.catch(() => undefined)
    await writing.chats.close()
    await control.close()
    await neighbours?.close()
    await lost.close()
    await retention.close()
    await oldFigures.close()
    webCalls.close()
    const over = Promise.all([conversations.endAll('worker-shutdown'), testRuns.close()])
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
      return asked && elsewhere(asked, upgrade)
    },
    defaults: findDefaults,
    house: () => house.figures,
    places: () => installation.places(),
    numbers,
    numberStore,
    knowledge,
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
