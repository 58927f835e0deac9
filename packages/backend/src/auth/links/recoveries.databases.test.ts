import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LinkMail } from '../../index.js'
import { type RunningAuth, runAuth } from '../../testing/running-auth.js'

describe.each(DATABASES)('recoveries, on $name', ({ open }) => {
  let auth: RunningAuth
  const mails: LinkMail[] = []
  /** What the mail server does with each. */
  let take: () => Promise<void> = async () => {}
  beforeAll(async () => {
    const sendMail = async (mail: LinkMail) => {
      mails.push(mail)
      await take()
    }
    auth = await runAuth({ open, auth: { sendMail } })
  })
  afterAll(() => auth.close())

  const ask = async (email: string, address = '192.0.2.1') =>
    (await auth.ask('POST', '/recover', { body: { email }, address })).status

  it('push nobody out of the line of mails who ask for nobody', async () => {
    let open: () => void = () => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    take = () => opened
    const [first, second] = [await auth.newUser(), await auth.newUser()]
    expect(await ask(first.email)).toBe(200)
    await expect.poll(() => mails.length).toBe(1)
    for (let network = 0; network < 12; network += 1) {
      const strangers = Array.from({ length: 10 }, (_, place) =>
        ask(`nobody-${network}-${place}@example.com`, `198.51.${network}.${place}`),
      )
      expect(new Set(await Promise.all(strangers))).toEqual(new Set([200]))
    }
    expect(await ask(second.email)).toBe(200)
    open()
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([first.email, second.email])
    expect(auth.log).toEqual([])
  })
})
