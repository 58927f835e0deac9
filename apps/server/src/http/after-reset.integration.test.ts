import type { Role } from '@heyline/back-office'
import { openTestDb } from '@heyline/database/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AUTH, Target } from '../testing/auth-attack/target.js'

let at: Target
beforeAll(async () => {
  at = await Target.open(openTestDb)
})
afterAll(() => at.close())

/** An operator whose session somebody else has, too: it was used a moment ago, and the clock stands still. */
async function stolen(role: Role) {
  const person = await at.operator(role)
  const { access: token } = await at.signIn(person)
  expect((await at.ask('GET', '/-/office/operators/me', { token })).status).toBe(200)
  const mint = () => at.ask('POST', '/-/office/api-keys', { token, body: { name: 'evil', role, days: 365 } })
  const keys = async () =>
    (await at.db.query('select from back_office.api_keys where user_id = $1', [person.id])).rowCount
  return { person, token, mint, keys }
}

it.each(['owner', 'viewer'] as const)('a reset leaves the thief no key: %s', async (role) => {
  const { person, mint, keys } = await stolen(role)
  expect((await mint()).status).toBe(200)
  await at.office.reset(person.email)
  expect(await mint()).toMatchObject({ status: 401, json: { code: 'unauthorized' } })
  expect(await keys()).toBe(0)
})

it('a new password leaves the other sessions no key, and no invitation', async () => {
  const { person, token, mint, keys } = await stolen('owner')
  const { access } = await at.signIn(person)
  const changed = await at.ask('PUT', `${AUTH}/user`, {
    token: access,
    body: { password: 'a whole new one' },
  })
  expect(changed.status).toBe(200)
  expect((await mint()).status).toBe(401)
  const body = { email: at.nobody(), role: 'owner' }
  expect((await at.ask('POST', '/-/office/operators/invite', { token, body })).status).toBe(401)
  expect(await keys()).toBe(0)
  expect((await at.office.list()).some(({ email }) => email === body.email)).toBe(false)
})

it('a key is shown to nobody whose session ended while it was made', async () => {
  const { person, mint, keys } = await stolen('editor')
  await at.db.exec(
    `create function public.ends() returns trigger language plpgsql as $$
       begin delete from auth.sessions where user_id = new.user_id; return new; end $$;
     create trigger ends after insert on back_office.api_keys for each row execute function public.ends()`,
  )
  try {
    expect((await mint()).status).toBe(401)
  } finally {
    await at.db.exec('drop trigger ends on back_office.api_keys; drop function public.ends()')
  }
  expect(await keys()).toBe(0)
  expect(await at.signIn(person)).toBeDefined()
})
