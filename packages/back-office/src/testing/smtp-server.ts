import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface SmtpServerOptions {
  /** Wants this name and password. */
  user?: { name: string; password: string }
  /** Takes no mail for this address. */
  refuses?: string
  /** Takes each mail and goes before it says so. */
  isSilent?: boolean
  /** Goes on with its first answer for ever, and says no end of it. */
  drips?: boolean
}

/** From one line of an endless answer to the next, in ms. */
const DRIP_MS = 20

/** A mail that was taken. */
export interface TakenMail {
  from: string
  to: string[]
  /** As it came, header and body. */
  text: string
}

/** A mail server without encryption (RFC 5321, and AUTH PLAIN of RFC 4954). */
export async function openSmtpServer({ user, refuses, isSilent, drips }: SmtpServerOptions = {}) {
  const mails: TakenMail[] = []
  /** Every line that clients sent, but for the mails themselves. */
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    void converse(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function converse(socket: Socket): Promise<void> {
    const say = (line: string) => socket.write(`${line}\r\n`)
    let mail: TakenMail = { from: '', to: [], text: '' }
    let isData = false
    let isKnown = user === undefined
    const wanted = user && Buffer.from(`\0${user.name}\0${user.password}`).toString('base64')
    const answers: Record<string, (rest: string) => void> = {
      EHLO: () => (drips ? drip(socket) : say(user ? '250-mail.test\r\n250 AUTH PLAIN' : '250 mail.test')),
      AUTH: (rest) => {
        isKnown = rest === `PLAIN ${wanted}`
        say(isKnown ? '235 2.7.0 accepted' : '535 5.7.8 wrong name or password')
      },
      MAIL: (rest) => {
        mail = { from: addressIn(rest), to: [], text: '' }
        say(isKnown ? '250 2.1.0 ok' : '530 5.7.0 who are you?')
      },
      RCPT: (rest) => {
        const to = addressIn(rest)
        if (to === refuses) return say('550 5.1.1 no such mailbox')
        mail.to.push(to)
        return say('250 2.1.5 ok')
      },
      DATA: () => {
        isData = true
        say('354 go on')
      },
      RSET: () => say('250 2.0.0 ok'),
      QUIT: () => {
        say('221 2.0.0 bye')
        socket.end()
      },
    }
    say('220 mail.test ESMTP')
    for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (isData && line !== '.') mail.text += `${line.replace(/^\./, '')}\n`
      else if (isData) {
        isData = false
        mails.push(mail)
        if (isSilent) socket.destroy()
        else say('250 2.0.0 taken')
      } else {
        lines.push(line)
        const [, word = '', rest = ''] = /^(\S+) ?(.*)$/.exec(line) ?? []
        const answer = answers[word.toUpperCase()]
        if (answer) answer(rest)
        else say('502 5.5.1 not here')
      }
    }
  }

  function drip(socket: Socket): void {
    const timer = setInterval(() => socket.write('250-mail.test\r\n'), DRIP_MS)
    socket.on('close', () => clearInterval(timer))
  }

  return {
    port: Number(Object(server.address()).port),
    mails,
    lines,
    /** Clients that are connected now. */
    clients: () => sockets.size,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const addressIn = (text: string): string => /<([^>]*)>/.exec(text)?.[1] ?? ''
