import { BrowserCall } from '../call/browser-call.js'
import type { Settings } from '../document/settings.js'
import { CallForm } from '../phone/call-form.js'
import { requestCall } from '../phone/call-request.js'
import { Kept } from '../state/kept.js'
import type { AssistantTexts, Greeted } from '../visitor/visitor.js'
import { columnsOf, type VisitorSource } from '../visitor/visitor-source.js'
import { callChunk, ownWebhookChunk, phoneFormChunk, readsChunk } from './chunks.js'
import { savesData } from './idle.js'

/** How long the page waits for the webhook before it says that the call failed. */
const WEBHOOK_TIMEOUT_MS = 15_000

/** What the main screen works with: one visitor, the form, the browser call, and the quiet work after the greeting. */
export class Demo {
  readonly form: CallForm
  readonly call: BrowserCall
  readonly privacyUrl: string | undefined
  readonly #source: VisitorSource
  readonly #texts: Kept<AssistantTexts>
  readonly #logVisitors: boolean
  readonly #watchOpen: () => Promise<void>

  /** `texts` are given when the browser has already read the visitor's whole row. */
  constructor(visitor: Greeted, settings: Settings, texts?: AssistantTexts) {
    this.#logVisitors = settings.logVisitors
    this.privacyUrl = settings.privacyUrl
    this.#watchOpen = async () => {
      if (settings.opens === undefined) return
      const { watchOpen } = await import('../opens/watch-open.js')
      watchOpen(settings.opens, visitor.slug)
    }
    this.#source = visitorSource(settings, visitor.slug)
    this.#texts = new Kept(async () => texts ?? (await this.#readTexts()))
    const own =
      (settings.humanCheck || settings.liveStatus) &&
      new Kept(async () => (await ownWebhookChunk.get()).ownWebhook(this.form, settings, visitor.slug))
    this.form = new CallForm((phone, signal) =>
      requestCall({
        url: settings.callWebhookUrl,
        phone,
        slug: visitor.slug,
        // A call without its status is a call; one without its check would be refused.
        fetch: own
          ? async (...sent) =>
              (await (settings.humanCheck ? own.get() : own.get().catch(() => fetch)))(...sent)
          : globalThis.fetch,
        signal,
        timeoutMs: WEBHOOK_TIMEOUT_MS,
      }),
    )
    if (own) this.form.subscribe(() => own.warm())
    this.call = new BrowserCall({
      loadClient: async (listeners) =>
        (await callChunk.get()).createCallClient(settings, visitor.slug, listeners, this.call),
      readTexts: () => this.#texts.get(),
    })
  }

  /** The work of the quiet seconds while the page fades in: the reads of spec 7 that the greeting did not need, and the chunks. */
  workAtIdle(): void {
    this.#texts.warm()
    if (this.#logVisitors)
      readsChunk.get().then(({ logVisitors }) => logVisitors(this.#source), console.debug)
    if (!savesData()) {
      phoneFormChunk.warm()
      this.call.warm()
    }
    this.#watchOpen().catch(console.debug)
    if (!isSecureContext) import('../plain-http/say-why.js').then(({ sayWhy }) => sayWhy(), console.debug)
  }

  async #readTexts(): Promise<AssistantTexts> {
    return (await readsChunk.get()).readTexts(this.#source)
  }
}

/** Where a page with these settings reads visitors, in the name of `slug`. */
export function visitorSource(settings: Settings, slug: string): VisitorSource {
  return {
    url: settings.backendUrl,
    key: settings.backendKey,
    slug,
    header: settings.visitorHeader,
    columns: columnsOf(settings),
  }
}
