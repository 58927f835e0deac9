import type { Transporter } from 'nodemailer'
import type { LinkKind } from '../auth-wire/auth-admin.js'
import { MAIL_TEXTS } from './mail-text.js'

export interface MailerOptions {
  /** `smtp://` or `smtps://`, with name and password where the server wants them. */
  url: string
  /** `Heyline <heyline@example.com>`, or the address alone. */
  from: string
  /** What the mails are about: the host that operators know. */
  site: string
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
  /** Rejects with an `Error` that says why the mail was not taken; it holds neither the password nor the link. */
  send(mail: LinkMail): Promise<void>
  /** As `send`, for any text. */
  sendText(mail: TextMail): Promise<void>
  /** Whether the server can be reached and takes our name and password. Sends nothing. */
  check(): Promise<void>
}

/** Longest that the server may take for a step, in ms. */
const PATIENCE_MS = 10_000

/** A name and a password travel only where nobody else can read them: encrypted, or on this machine. */
const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/

export function openMailer({ url, from, site }: MailerOptions): Mailer {
  let transport: Promise<Transporter> | undefined
  const open = () => {
    transport ??= openTransport(new URL(url))
    return transport
  }
  const sendText = async ({ to, subject, text }: TextMail) => {
    const opened = await open()
    await opened.sendMail({ from, to: { name: '', address: to }, subject, text })
  }
  return {
    async send({ to, kind, link }) {
      await sendText({ to, ...MAIL_TEXTS[kind](site, link) })
    },
    sendText,
    async check() {
      const opened = await open()
      await opened.verify()
    },
  }
}

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
