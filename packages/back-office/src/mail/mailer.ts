import { once } from 'node:events'
import { MailNotTaken } from '@heyline/backend'
import type { Transporter } from 'nodemailer'
import { z } from 'zod'
import type { LinkKind } from '../auth-wire/auth-admin.js'
import { MAIL_TEXTS } from './mail-text.js'

export interface MailerOptions {
  /** `smtp://` or `smtps://`, with name and password where the server wants them. */
  url: string
  /** `Heyline <heyline@example.com>`, or the address alone. */
  from: string
  /** What the mails are about: the host that operators know. */
  site: string
  /** Longest that a mail or a check takes as a whole, in ms; 40 s. */
  longestMs?: number
}

export interface LinkMail {
  to: string
  kind: LinkKind
  link: string
}

export interface TextMail {
  to: string
  /** One line. */
  subject: string
  text: string
}

/** Sends the links of operators, and what happened. */
export interface Mailer {
  /**
   * Rejects with a `MailNotTaken` that says why the mail was not taken, or with another `Error` where it may have been all the same: the server
   * had it, and its answer did not come in time. Neither holds the password or the link. Once `signal` is aborted it hangs up, and rejects with
   * the signal's reason: then, too, the mail may have been taken.
   */
  send(mail: LinkMail, signal?: AbortSignal): Promise<void>
  /** As `send`, for any text. */
  sendText(mail: TextMail, signal?: AbortSignal): Promise<void>
  /** Whether the server can be reached and takes our name and password. Sends nothing. Rejects after `longestMs` at the latest. */
  check(): Promise<void>
}

/** Longest that the server may take for a step, in ms. */
const PATIENCE_MS = 10_000

/**
 * Longest for a mail as a whole: a server that goes on saying something is never silent for too long. Less than the minute for which an
 * event's delivery is claimed.
 */
const LONGEST_MS = 40_000

/** A name and a password travel only where nobody else can read them: encrypted, or on this machine. */
const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/

export function openMailer({ url, from, site, longestMs = LONGEST_MS }: MailerOptions): Mailer {
  let transport: Promise<Transporter> | undefined
  const open = () => {
    transport ??= openTransport(new URL(url))
    return transport
  }
  /** Asks with a signal that aborts once the longest time is over. */
  const inTime = async (what: string, ask: (late: AbortSignal) => Promise<unknown>) => {
    const late = new AbortController()
    const timer = setTimeout(
      () => late.abort(new Error(`The mail server was not done with ${what} within ${longestMs / 1000} s`)),
      longestMs,
    )
    try {
      await ask(late.signal)
    } finally {
      clearTimeout(timer)
    }
  }
  const sendText = async ({ to, subject, text }: TextMail, given?: AbortSignal) => {
    const opened = await open()
    await inTime('a mail', async (late) => {
      const signal = given ? AbortSignal.any([given, late]) : late
      try {
        await opened.sendMail({ from, to: { name: '', address: to }, subject, text, signal })
      } catch (error) {
        signal.throwIfAborted()
        throw notTaken.safeParse(error).success ? new MailNotTaken(textOf(error), { cause: error }) : error
      }
    })
  }
  return {
    async send({ to, kind, link }, signal) {
      await sendText({ to, ...MAIL_TEXTS[kind](site, link) }, signal)
    },
    sendText,
    async check() {
      const opened = await open()
      // The library takes no signal here.
      const isLate = (late: AbortSignal) => once(late, 'abort').then(() => late.throwIfAborted())
      await inTime('our greeting', (late) => Promise.race([opened.verify(), isLate(late)]))
    },
  }
}

/** Errors of the library before the server had the mail, and refusals of the server. */
const notTaken = z.union([
  z.object({ responseCode: z.number().min(400) }),
  z.object({ syscall: z.literal('connect') }),
  z.object({ code: z.enum(['EAUTH', 'EDNS', 'EENVELOPE', 'ETLS']) }),
  z.object({
    code: z.literal('ETIMEDOUT'),
    message: z.enum(['Connection timeout', 'Greeting never received']),
  }),
])

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The library is loaded for the first mail: most servers send none. */
async function openTransport(server: URL): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: server.hostname.replace(/^\[|\]$/g, ''),
    secure: server.protocol === 'smtps:',
    ...(server.port && { port: Number(server.port) }),
    ...(server.username && {
      auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) },
      requireTLS: !LOCAL.test(server.hostname),
    }),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
