import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Attack, allProbes, attack, differences, preyOf } from '../testing/attack/attack.js'
import { HOLES } from '../testing/attack/holes.js'
import { AIMS } from '../testing/attack/probe.js'
import { HIDDEN_VISITORS, makeSecrets, plant } from '../testing/hidden-visitors.js'
import { KEYS, type RunningBackend, runBackend } from '../testing/running-backend.js'

const prey = preyOf(KEYS.publishable)
const { own, slug } = prey

const rows = async (db: Db): Promise<unknown> =>
  (
    await db.query(
      `select (select json_agg(v order by slug)::text from public.visitors v) as visitors,
         (select json_agg(l order by id)::text from public.ledger l) as ledger`,
    )
  ).rows

describe.each(DATABASES)('an attack with the public key, on $name', ({ open }) => {
  let backend: RunningBackend
  let opened: RunningBackend
  let pass: (request: Request) => Request = (request) => request
  beforeAll(async () => {
    backend = await runBackend({}, { open, hole: (request) => pass(request) })
    opened = await runBackend({}, { open, visitorAccess: 'open' })
    for (const { db } of [backend, opened]) await makeSecrets(db)
  })
  afterAll(() => Promise.all([backend.close(), opened.close()]))

  describe('as the wire is', () => {
    let first: Attack
    let before: unknown
    beforeAll(async () => {
      before = await rows(backend.db)
      first = await attack(backend.url, prey)
    })

    it('finds nothing', () => {
      expect(first.findings).toEqual([])
    })

    it('changes nothing', async () => {
      expect(await rows(backend.db)).toEqual(before)
    })

    it('is answered as if nobody were hidden', async () => {
      await backend.db.query("delete from public.visitors where slug like 'hidden-lead-%' and slug <> $1", [
        own,
      ])
      expect(differences(first, await attack(backend.url, prey))).toEqual([])
    })

    it('leaves no error of ours in the log', () => {
      expect(backend.log).toEqual([])
    })
  })

  describe('can fail:', () => {
    beforeEach(() => plant(backend.db))

    it('it asks, and is shown what is meant for it', async () => {
      const { transcript } = await attack(backend.url, prey, 'list')
      expect(transcript.some(({ answer }) => answer.text.includes(`"${own}"`))).toBe(true)
      expect(new Set(allProbes(prey).map(({ aim }) => aim))).toEqual(new Set(AIMS))
    })

    it.each(AIMS)('%s', async (aim) => {
      const hole = HOLES[aim]
      const { url } = 'open' in hole ? opened : backend
      if ('tear' in hole) await backend.db.exec(hole.tear)
      if ('pass' in hole) pass = (request) => hole.pass(request, prey)
      try {
        const { findings } = await attack(url, prey, aim)
        expect(findings.length).toBeGreaterThan(0)
      } finally {
        pass = (request) => request
        if ('mend' in hole) await backend.db.exec(hole.mend)
      }
    })

    it('a hidden visitor that gets listed', async () => {
      await backend.db.query('update public.visitors set listed = true where slug = $1', [slug])
      const { findings } = await attack(backend.url, prey, 'list')
      expect(findings.length).toBeGreaterThan(5)
    })

    it('answers that depend on hidden rows', async () => {
      const first = await attack(opened.url, prey, 'page')
      await opened.db.query('delete from public.visitors where slug = $1', [slug])
      expect(differences(first, await attack(opened.url, prey, 'page')).length).toBeGreaterThan(3)
      await plant(opened.db)
    })
  })
})

it('an attack on a backend that hides the assistant’s texts learns not even those of the visitor whose link it has', async () => {
  const backend = await runBackend({}, { hidesTexts: true })
  try {
    await makeSecrets(backend.db)
    const { findings, transcript } = await attack(backend.url, prey)
    expect(findings).toEqual([])
    const told = transcript.map(({ answer }) => answer.text).join('\n')
    for (const { system, first_message } of HIDDEN_VISITORS) {
      expect(told).not.toContain(system)
      expect(told).not.toContain(first_message)
    }
  } finally {
    await backend.close()
  }
})
