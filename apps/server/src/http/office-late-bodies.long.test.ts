import type { Role } from '@heyline/back-office'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, AUTH, ORIGIN, type Person, Target } from '../testing/auth-attack/target.js'

const OFFICE = '/-/office'
/** How long a session that was there counts as being there. */
const SESSION_KEPT_MS = 10_000

/** How a request says whose it is. */
type Credential = { token: string } | { headers: { cookie: string; origin: string } }

describe.each(DATABASES)(
  'a request whose body comes after its operator was taken out, on $name',
  ({ open }) => {
    let at: Target
    let slugs = 0
    beforeAll(async () => {
      at = await Target.open(open)
    })
    afterAll(() => at.close())

    const byToken = async (person: Person): Promise<Credential> => ({
      token: (await at.signIn(person)).access,
    })
    const byCookie = async ({ email, password }: Person): Promise<Credential> => {
      const headers = { origin: ORIGIN }
      const signedIn = await at.ask('POST', `${OFFICE}/session/sign-in`, {
        body: { email, password },
        headers,
      })
      const cookie = /set-cookie: ([^;]+)/.exec(signedIn.headers)?.[1] ?? ''
      return { headers: { cookie, ...headers } }
    }
    const byKey = async (person: Person, role: Role): Promise<Credential> => {
      const { access } = await at.signIn(person)
      const body = { name: 'a tool', role, days: 1 }
      const made = await at.ask('POST', `${OFFICE}/api-keys`, { token: access, body })
      return { token: String(made.json.key) }
    }
    const CREDENTIALS = { 'an access token': byToken, 'a session': byCookie, 'an API key': byKey }

    /** What an editor asks for: path, body. */
    const asked = () => {
      const slug = `late-${++slugs}`
      return [
        ['/visitors', { slug, name: 'Late' }],
        ['/visitors/import', `${JSON.stringify({ slug: `${slug}-line`, name: 'Late' })}\n`],
        ['/visitors/listed', { slugs: ['late'], listed: true }],
        ['/do-not-call/add', { numbers: ['+14155550199'] }],
        ['/do-not-call/import', { numbers: ['+14155550199'] }],
        ['/visitors/taken', { slugs: ['late'] }],
        ['/visitors/export.csv', { safe: true }],
      ] as const
    }
    const hold = (who: Credential, asking: readonly (readonly [string, unknown])[]) =>
      asking.map(([path, body]) => at.hold('POST', `${OFFICE}${path}`, { body, ...who }))
    /** By then the server knows who asks in the requests that are held. */
    const entered = () => at.ask('GET', `${OFFICE}/operators/me`, { token: 'nobody' })
    const codeOf = ({ status, json }: Pick<Answer, 'status' | 'json'>) => `${status} ${json.code}`
    const stored = async () => {
      const visitors = await at.db.query("select from public.visitors where slug like 'late%'")
      const numbers = await at.db.query('select from call_desk.do_not_call')
      return visitors.rowCount + numbers.rowCount
    }

    /** Ends somebody's right while their requests are held, and expects each to be refused as a new one is. */
    async function expectRefused(who: Credential, end: () => Promise<unknown>) {
      const before = await stored()
      const held = hold(who, asked())
      await entered()
      await end()
      const anew = await at.ask('POST', `${OFFICE}/visitors`, {
        body: { slug: 'late-new', name: 'Late' },
        ...who,
      })
      expect(anew.status).toBeOneOf([401, 403])
      for (const one of held) expect(codeOf(await one.end())).toBe(codeOf(anew))
      expect(await stored()).toBe(before)
    }

    it.each(Object.entries(CREDENTIALS))(
      'is refused with %s: removed, lesser role, reset',
      async (_, enter) => {
        const removed = await at.operator('editor')
        await expectRefused(await enter(removed, 'editor'), () => at.office.remove(removed.email))
        const lesser = await at.operator('editor')
        await expectRefused(await enter(lesser, 'editor'), () =>
          at.office.setRole({ email: lesser.email, role: 'viewer' }),
        )
        const reset = await at.operator('editor')
        await expectRefused(await enter(reset, 'editor'), async () => {
          await at.office.reset(reset.email)
          at.clock.advance(SESSION_KEPT_MS)
        })
      },
    )

    it('is refused after a sign-out, and after its key was revoked', async () => {
      const person = await at.operator('editor')
      const session = await byCookie(person)
      await expectRefused(session, () =>
        at.ask('POST', `${OFFICE}/session/sign-out`, { body: {}, ...session }),
      )
      const bare = await at.signIn(person)
      await expectRefused({ token: bare.access }, async () => {
        await at.ask('POST', `${AUTH}/logout`, { token: bare.access })
        at.clock.advance(SESSION_KEPT_MS)
      })
      const key = await byKey(person, 'editor')
      const { access: token } = await at.signIn(person)
      await expectRefused(key, async () => {
        const { text } = await at.ask('GET', `${OFFICE}/api-keys`, { token })
        for (const { id } of JSON.parse(text))
          await at.ask('POST', `${OFFICE}/api-keys/revoke`, { token, body: { id } })
      })
    })

    it('makes no operator and no key, whose session is looked at afresh', async () => {
      const owner = await at.operator('owner')
      const token = await byToken(owner)
      const email = at.nobody()
      const mint = { name: 'evil', role: 'owner', days: 1 }
      const ends = [() => at.office.reset(owner.email), () => at.office.remove(owner.email)]
      for (const [turn, end] of ends.entries()) {
        const who = turn === 0 ? token : await byToken(await again(owner))
        const held = hold(who, [
          ['/operators/invite', { email, role: 'owner' }],
          ['/api-keys', mint],
        ])
        await entered()
        await end()
        for (const one of held) expect((await one.end()).status).toBeOneOf([401, 403])
      }
      expect((await at.office.list()).some((line) => line.email === email)).toBe(false)
      expect((await at.db.query("select from back_office.api_keys where name = 'evil'")).rowCount).toBe(0)
    })

    /** The same person, with a new password by the link of a reset. */
    async function again(person: Person): Promise<Person> {
      const { link } = await at.office.reset(person.email)
      const { access } = await at.use(link)
      await at.ask('PUT', `${AUTH}/user`, { token: access, body: { password: person.password } })
      return person
    }

    it('changes nothing where its turn comes late, and has taken back what it changed', async () => {
      const many = Array.from({ length: 2_500 }, (_, number) => `n-${number}`)
      const editor = await at.operator('editor')
      const who = await byToken(editor)
      await at.db.exec(
        `insert into public.visitors (slug, name) select 'n-' || n, 'N' from generate_series(0, 2499) n;
       create function public.removes() returns trigger language plpgsql as $$
         begin delete from back_office.operators where user_id = '${editor.id}'; return new; end $$;
       create trigger removes after update on public.visitors for each statement execute function public.removes()`,
      )
      try {
        const listing = { body: { slugs: many, listed: true }, ...who }
        const all = Array.from({ length: 4 }, () => at.ask('POST', `${OFFICE}/visitors/listed`, listing))
        for (const one of await Promise.all(all)) expect(codeOf(one)).toBe('403 not_an_operator')
        const { rowCount } = await at.db.query("select from public.visitors where listed and slug like 'n-%'")
        expect(rowCount).toBe(0)
      } finally {
        await at.db.exec('drop trigger removes on public.visitors; drop function public.removes()')
      }
    })

    it('is carried out for one who still may, and for the secret key', async () => {
      const editor = await at.operator('editor')
      const held = hold(await byKey(editor, 'editor'), asked())
      await entered()
      await at.office.setRole({ email: editor.email, role: 'owner' })
      for (const one of held) expect((await one.end()).status).toBeOneOf([200, 201])
    })
  },
)
