import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, type RunningAuth, runAuth } from '../../testing/running-auth.js'

describe.each(DATABASES)('at the same time, on $name', ({ open }) => {
  let auth: RunningAuth
  beforeAll(async () => {
    auth = await runAuth({ open })
  })
  afterAll(() => auth.close())

  it('everything that touches one account goes on, and none of it waits for the other for ever', async () => {
    const { user, browser, session } = await auth.signedIn()
    const api = auth.admin.auth.admin
    const signIn = () => auth.browser().auth.signInWithPassword({ email: user.email, password: PASSWORD })
    const link = async () => {
      const { data } = await api.generateLink({ type: 'recovery', email: user.email })
      const token_hash = data.properties?.hashed_token ?? ''
      return await auth.browser().auth.verifyOtp({ type: 'recovery', token_hash })
    }
    const rounds = Array.from({ length: 6 }, (_, round) => [
      signIn(),
      link(),
      browser.auth.updateUser({ data: { [`round-${round}`]: true } }),
      api.updateUserById(user.id, { phone: `+1202555010${round}` }),
      api.generateLink({ type: 'recovery', email: user.email }),
      auth.ask('GET', '/sessions', { token: session.access_token }),
    ])
    await Promise.all(rounds.flat())
    // A deadlock would be a line of the log.
    expect(auth.log).toEqual([])
    const { data } = await browser.auth.getUser()
    // No change of the metadata was lost.
    expect(Object.keys(data.user?.user_metadata ?? {})).toHaveLength(6)
  })

  it('a sign-in with a password that is being changed leaves no session behind', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { user } = await auth.signedIn()
      const signIns = Array.from({ length: 4 }, () =>
        auth.browser().auth.signInWithPassword({ email: user.email, password: PASSWORD }),
      )
      await auth.admin.auth.admin.updateUserById(user.id, { password: 'another fine password' })
      await Promise.all(signIns)
      const { rows } = await auth.db.query('select from auth.sessions where user_id = $1', [user.id])
      expect(rows).toEqual([])
    }
    expect(auth.log).toEqual([])
  })
})
