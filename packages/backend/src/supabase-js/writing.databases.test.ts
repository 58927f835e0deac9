import { expect, it } from 'vitest'
import { describePlaces } from '../testing/places.js'
import { KEYS } from '../testing/running-backend.js'

describePlaces('writing with the client', (places) => {
  const table = () => places.client.from('places')
  const stays = () => places.client.from('stays')
  const send = (path: string, init: { method: string; body?: string; prefer?: string }) =>
    fetch(`${places.backend.url}/rest/v1${path}`, {
      method: init.method,
      body: init.body ?? null,
      headers: {
        apikey: KEYS.secret,
        'content-type': 'application/json',
        ...(init.prefer && { prefer: init.prefer }),
      },
    })

  it('inserts', async () => {
    expect(await table().insert({ id: 4, name: 'New' })).toMatchObject({
      status: 201,
      data: null,
      error: null,
    })
    expect(
      await table()
        .insert([
          { id: 5, name: 'e' },
          { id: 6, name: 'f' },
        ])
        .select('id, city:details->>city'),
    ).toMatchObject({
      status: 201,
      data: [
        { id: 5, city: null },
        { id: 6, city: null },
      ],
    })
  })

  it.each<[string, Record<string, unknown>, number, string]>([
    ['a duplicate', { id: 1, name: 'x' }, 409, '23505'],
    ['a null', { id: 7, name: null }, 400, '23502'],
    ['what a check refuses', { id: 7, name: 'x', rating: 9 }, 400, '23514'],
    ['an unknown column', { zip: 1 }, 400, 'PGRST204'],
  ])('refuses %s', async (_, row, status, code) => {
    expect(await table().insert(row)).toMatchObject({ status, error: { code } })
  })

  it('names the check that refuses', async () => {
    const { error } = await table().insert({ id: 7, name: 'x', rating: 9 })
    expect(error?.message).toMatch(/^new row for relation "places" violates check constraint "places_\w+"$/)
  })

  it('merges duplicates', async () => {
    const merged = await table()
      .upsert({ id: 1, name: 'Harbour', rating: 5 })
      .select('id, name, rating, open')
    expect(merged).toMatchObject({
      status: 200,
      data: [{ id: 1, name: 'Harbour', rating: 5, open: true }],
    })
    const mixed = await table()
      .upsert(
        [
          { id: 2, name: 'Mill' },
          { id: 4, name: 'New' },
        ],
        { count: 'exact' },
      )
      .select('id, name')
    expect(mixed).toMatchObject({ status: 201, count: 2 })
    expect((await table().select('id, name').order('id')).data).toEqual([
      { id: 1, name: 'Harbour' },
      { id: 2, name: 'Mill' },
      { id: 3, name: 'a,(b)"c' },
      { id: 4, name: 'New' },
    ])
  })

  it('merges by the columns that are named, and by a key of several', async () => {
    expect(
      await table()
        .upsert({ id: 1, name: 'Harbour Café', rating: 1 }, { onConflict: 'name' })
        .select('rating')
        .single(),
    ).toMatchObject({ data: { rating: 1 } })
    await stays().insert({ place: 1, night: '2026-01-01', guest: 'first' })
    const rows = [
      { place: 1, night: '2026-01-01', guest: 'second' },
      { place: 1, night: '2026-01-02', guest: 'third' },
    ]
    expect((await stays().upsert(rows)).status).toBe(201)
    expect((await stays().select('guest').order('night')).data).toEqual([
      { guest: 'second' },
      { guest: 'third' },
    ])
    expect((await stays().upsert(rows, { onConflict: 'night,place' })).status).toBe(200)
  })

  it('leaves duplicates alone', async () => {
    const rows = [
      { id: 1, name: 'x' },
      { id: 4, name: 'New' },
    ]
    expect(await table().upsert(rows, { ignoreDuplicates: true }).select('id')).toMatchObject({
      status: 201,
      data: [{ id: 4 }],
    })
    expect((await table().select('name').eq('id', 1).single()).data).toEqual({ name: 'Harbour Café' })
  })

  it('refuses an upsert that Postgres cannot do', async () => {
    const row = { id: 8, name: 'x' }
    expect(await table().upsert(row, { onConflict: 'zip' })).toMatchObject({
      status: 400,
      error: { code: '42703' },
    })
    expect(await table().upsert(row, { onConflict: 'rating' })).toMatchObject({
      status: 400,
      error: { code: '42P10' },
    })
    expect(await table().upsert([row, row])).toMatchObject({ status: 400, error: { code: '21000' } })
    expect(await table().upsert({ id: 9, name: 'Old Mill' })).toMatchObject({
      status: 409,
      error: { code: '23505' },
    })
  })

  it('inserts rows that have no key to tell duplicates by', async () => {
    expect((await places.client.from('lines').upsert({ text: 'a' })).status).toBe(201)
    expect((await places.client.from('lines').upsert({ text: 'a' })).status).toBe(201)
    expect((await places.client.from('lines').select()).data).toHaveLength(2)
  })

  it('tells where a row is', async () => {
    const body = '{"place":1,"night":"2026-01-01","guest":"a&b"}'
    const made = await send('/stays', { method: 'POST', body, prefer: 'return=headers-only' })
    expect([
      made.status,
      made.headers.get('location'),
      made.headers.get('preference-applied'),
      await made.text(),
    ]).toEqual([201, '/stays?place=eq.1&night=eq.2026-01-01', 'return=headers-only', ''])
    const without = await send('/lines', {
      method: 'POST',
      body: '{"text":"a"}',
      prefer: 'return=headers-only',
    })
    expect([without.status, without.headers.get('location')]).toEqual([201, null])
  })

  it('updates', async () => {
    expect(await table().update({ rating: 2 }).eq('id', 1)).toMatchObject({ status: 204, data: null })
    expect(
      await table().update({ rating: 1 }, { count: 'exact' }).or('id.eq.1,id.eq.2').select('id'),
    ).toMatchObject({
      status: 200,
      count: 2,
    })
    expect(await table().update({ rating: 1 }).eq('id', 9)).toMatchObject({ status: 204 })
    expect(
      await table().update({ rating: 1 }).eq('details->address->>city', 'Leith').select('name'),
    ).toMatchObject({
      data: [{ name: 'Harbour Café' }],
    })
  })

  it('deletes', async () => {
    expect(await table().delete().not('id', 'in', '(1,2)').select('id')).toMatchObject({
      status: 200,
      data: [{ id: 3 }],
    })
    expect(await table().delete({ count: 'exact' }).gt('id', 0)).toMatchObject({ status: 204, count: 2 })
  })

  it('takes back what hits more rows than it may', async () => {
    expect(await table().update({ rating: 0 }).gt('id', 0).select('id').single()).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 3 rows' },
    })
    expect(await table().update({ rating: 0 }).gt('id', 0).maxAffected(2)).toMatchObject({
      status: 400,
      error: { code: 'PGRST124', details: 'The query affects 3 rows' },
    })
    expect(await table().delete().gt('id', 1).maxAffected(1)).toMatchObject({ error: { code: 'PGRST124' } })
    expect((await table().select('id').eq('rating', 0)).data).toEqual([])
    expect(await table().delete().gt('id', 1).maxAffected(2)).toMatchObject({ status: 204 })
  })

  it('changes nothing for the public key', async () => {
    const anon = () => places.anon.from('places')
    for (const query of [
      anon().insert({ id: 9, name: 'x' }),
      anon().upsert({ id: 1, name: 'x' }),
      anon().upsert({ id: 1, name: 'x' }, { ignoreDuplicates: true }),
      anon().update({ name: 'x' }).eq('id', 1),
      anon().delete().eq('id', 1),
    ])
      expect(await query).toMatchObject({ status: 401, error: { code: '42501' } })
    expect((await table().select('id').eq('name', 'x')).data).toEqual([])
  })

  it('refuses what it does not serve', async () => {
    expect(await table().insert([{ id: 9 }], { defaultToNull: false })).toMatchObject({
      error: { code: 'PGRST127' },
    })
    expect((await send('/places?id=eq.1', { method: 'PUT', body: '{"id":1}' })).status).toBe(400)
    expect(await table().delete()).toMatchObject({ status: 400, error: { code: '21000' } })
  })
})
