import { MailNotTaken } from '@heyline/backend'
import { afterEach, expect, it } from 'vitest'
import { openSmtpServer, type SmtpServerOptions } from '../testing/smtp-server.js'
import { openMailer } from './mailer.js'

let server: Awaited<ReturnType<typeof openSmtpServer>>
afterEach(() => server.close())
const open = async (options?: SmtpServerOptions, place = (port: number) => `127.0.0.1:${port}`) => {
  server = await openSmtpServer(options)
  return openMailer({
    url: `smtp://${place(server.port)}`,
    from: 'Heyline <heyline@example.com>',
    site: 'demo.example.com',
  })
}
const user = { name: 'hey@line', password: 'p ß:w' }
const named = (port: number) =>
  `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@127.0.0.1:${port}`
const link = 'https://demo.example.com/-/console/#token_hash=abc&type=invite'

it('sends a link', async () => {
  const mailer = await open()
  await mailer.send({ to: 'ada@example.com', kind: 'invite', link })
  expect(server.mails).toMatchObject([{ from: 'heyline@example.com', to: ['ada@example.com'] }])
  const text = server.mails[0]?.text ?? ''
  expect(text).toMatch(/^From: Heyline <heyline@example.com>$/m)
  expect(text).toMatch(/^Subject: Your invitation to demo.example.com$/m)
  expect(text).toContain(link)
})

it('says who it is where the server asks', async () => {
  const mailer = await open({ user }, named)
  await mailer.send({ to: 'ada@example.com', kind: 'recovery', link })
  expect(server.mails).toHaveLength(1)
  await mailer.check()
  expect(server.mails).toHaveLength(1)
})

it('says why a mail was not taken, without the password', async () => {
  const mailer = await open({ user: { ...user, password: 'another' } }, named)
  await expect(mailer.send({ to: 'ada@example.com', kind: 'invite', link })).rejects.toThrow(
    /wrong name or password/,
  )
  const error = await mailer.check().catch((reason: Error) => reason)
  expect(String(Object(error).message)).not.toContain(user.password)
})

it('says which address the server refuses', async () => {
  const mailer = await open({ refuses: 'ada@example.com' })
  await expect(mailer.send({ to: 'ada@example.com', kind: 'invite', link })).rejects.toThrow(
    /no such mailbox/,
  )
})

it('tells a mail that was not taken from one that may have been', async () => {
  const mail = { to: 'ada@example.com', kind: 'invite', link } as const
  const refusing = await open({ refuses: 'ada@example.com' })
  await expect(refusing.send(mail)).rejects.toBeInstanceOf(MailNotTaken)
  await server.close()
  await expect(refusing.send(mail)).rejects.toBeInstanceOf(MailNotTaken)
  const silent = await open({ isSilent: true })
  const error = await silent.send(mail).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(MailNotTaken)
  expect(server.mails).toHaveLength(1)
})

it.each(['its time is over', 'it is called off'])(
  'hangs up on a server that never comes to an end, once %s: the mail may have been taken',
  async (why) => {
    const isCalledOff = why === 'it is called off'
    server = await openSmtpServer({ drips: true })
    const mailer = openMailer({
      ...{ url: `smtp://127.0.0.1:${server.port}`, from: 'heyline@example.com', site: 'demo.example.com' },
      ...(!isCalledOff && { longestMs: 200 }),
    })
    const stop = new AbortController()
    const sent = mailer.send({ to: 'ada@example.com', kind: 'recovery', link }, stop.signal)
    const error = sent.catch((reason: unknown) => reason)
    await expect.poll(() => server.lines).toHaveLength(1)
    if (isCalledOff) stop.abort(new Error('the server stops'))
    expect(await error).toMatchObject({
      message: expect.stringContaining(
        isCalledOff ? 'the server stops' : 'not done with a mail within 0.2 s',
      ),
    })
    expect(await error).not.toBeInstanceOf(MailNotTaken)
    await expect.poll(() => server.clients()).toBe(0)
  },
)

it('checks no server without end that never comes to an end of its answer', async () => {
  server = await openSmtpServer({ drips: true })
  const url = `smtp://127.0.0.1:${server.port}`
  const from = { from: 'heyline@example.com', site: 'demo.example.com' }
  await expect(openMailer({ url, ...from, longestMs: 200 }).check()).rejects.toThrow(
    'The mail server was not done with our greeting within 0.2 s',
  )
})

it('sends no password to another machine where anybody can read it', async () => {
  const mailer = await open({ user }, (port) => named(port).replace('127.0.0.1', '[::ffff:127.0.0.1]'))
  await expect(mailer.send({ to: 'ada@example.com', kind: 'invite', link })).rejects.toThrow()
  expect(server.lines.join(' ')).not.toMatch(/AUTH|MAIL/)
})

it('sends nothing but one mail to one address, whatever that holds', async () => {
  const mailer = await open()
  const to = 'ada@example.com\r\nBcc: eve@example.com'
  await mailer.send({ to, kind: 'invite', link }).catch(() => {})
  for (const mail of server.mails) {
    expect(mail.to).not.toContain('eve@example.com')
    expect(mail.text).not.toMatch(/^Bcc:/m)
  }
})

it('sends any text, and no header that its subject holds', async () => {
  const mailer = await open()
  const subject = 'Acme opened the page\r\nBcc: eve@example.com'
  await mailer.sendText({ to: 'ada@example.com', subject, text: 'Acme opened the page.\n' })
  expect(server.mails).toMatchObject([{ to: ['ada@example.com'] }])
  expect(server.mails[0]?.text).not.toMatch(/^Bcc:/m)
  expect(server.mails[0]?.text).toMatch(/^Acme opened the page\.$/m)
})
