import { expect, it } from 'vitest'
import { describePlaces } from '../testing/places.js'

describePlaces('reading with the client', (places) => {
  const table = () => places.client.from('places')

  it('selects columns, aliases, casts and places in JSON', async () => {
    const select =
      'number:id, id::text, details->address->>city, first:details->address->lines->0, details->stars::text, tags->>1, notes->a'
    expect((await table().select(select).eq('id', 1).single()).data).toEqual({
      number: 1,
      id: '1',
      city: 'Leith',
      first: '1 Quay',
      stars: '4',
      tags: 'sea',
      a: 1.5,
    })
  })

  it('lists', async () => {
    expect(await table().select('id').order('id')).toMatchObject({
      status: 200,
      count: null,
      data: [{ id: 1 }, { id: 2 }, { id: 3 }],
    })
  })

  it('orders by columns and by places in JSON', async () => {
    const ids = async (query: PromiseLike<{ data: { id: number }[] | null }>) =>
      (await query).data?.map(({ id }) => id)
    expect(await ids(table().select('id').order('rating', { ascending: false, nullsFirst: false }))).toEqual([
      1, 2, 3,
    ])
    expect(await ids(table().select('id').order('details->stars', { ascending: false }))).toEqual([3, 2, 1])
    expect(await ids(table().select('id').order('details->address->>city', { nullsFirst: true }))).toEqual([
      3, 2, 1,
    ])
    expect(await ids(table().select('id').order('open', { nullsFirst: true }).order('id'))).toEqual([3, 2, 1])
  })

  it('limits, and tells ranges', async () => {
    expect((await table().select('id').order('id').limit(1)).data).toEqual([{ id: 1 }])
    expect(await table().select('id', { count: 'exact' }).order('id').range(0, 1)).toMatchObject({
      status: 206,
      count: 3,
      data: [{ id: 1 }, { id: 2 }],
    })
    expect(await table().select('id', { count: 'exact' }).range(4, 5)).toMatchObject({
      status: 416,
      error: { code: 'PGRST103' },
    })
  })

  it('counts', async () => {
    for (const count of ['exact', 'planned', 'estimated'] as const)
      expect(await table().select('*', { count, head: true }).or('id.eq.1,id.eq.2')).toMatchObject({
        status: 200,
        count: 2,
        data: null,
      })
    expect(await table().select('id', { count: 'exact' }).eq('id', 9)).toMatchObject({ count: 0, data: [] })
  })

  it('gives one row', async () => {
    expect(await table().select('id').eq('id', 1).single()).toMatchObject({ status: 200, data: { id: 1 } })
    expect(await table().select('id').eq('id', 9).single()).toMatchObject({
      status: 406,
      error: {
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: 'The result contains 0 rows',
        hint: null,
      },
    })
    expect(await table().select('id').single()).toMatchObject({ status: 406, error: { code: 'PGRST116' } })
    expect((await table().select('id').eq('id', 1).maybeSingle()).data).toEqual({ id: 1 })
    expect(await table().select('id').eq('id', 9).maybeSingle()).toMatchObject({ data: null, error: null })
    expect(await table().select('id').maybeSingle()).toMatchObject({ error: { code: 'PGRST116' } })
  })

  it('refuses what it does not serve', async () => {
    const refused = async (query: PromiseLike<{ status: number; error: { code: string } | null }>) => {
      const { status, error } = await query
      return [status, error?.code]
    }
    expect(await refused(table().select('id').csv())).toEqual([406, 'PGRST107'])
    expect(await refused(table().select('id').geojson())).toEqual([406, 'PGRST107'])
    expect(await refused(table().select('id').explain())).toEqual([406, 'PGRST107'])
    expect(await refused(table().select('id, stays(*)'))).toEqual([400, 'PGRST127'])
    expect(await refused(table().select('rating.avg()'))).toEqual([400, 'PGRST127'])
    expect(await refused(table().select('name::regclass'))).toEqual([400, 'PGRST127'])
    expect(await refused(places.client.schema('hidden').from('x').select())).toEqual([406, 'PGRST106'])
    expect(await refused(table().insert({ id: 9 }).select().rollback())).toEqual([400, 'PGRST127'])
  })

  it('says what is unknown', async () => {
    expect(await places.client.from('nowhere').select()).toMatchObject({
      status: 404,
      error: { code: 'PGRST205', message: "Could not find the table 'public.nowhere' in the schema cache" },
    })
    expect(await table().select('zip')).toMatchObject({
      status: 400,
      error: { code: '42703', message: 'column places.zip does not exist' },
    })
  })

  it('keeps to what a role may see', async () => {
    expect((await places.anon.from('places').select('id, name').eq('id', 1)).data).toEqual([
      { id: 1, name: 'Harbour Café' },
    ])
    for (const query of [
      places.anon.from('places').select('rating'),
      places.anon.from('places').select('details->stars'),
      places.anon.from('places').select('id').or('id.eq.1,details->>stars.eq.4'),
      places.anon.from('places').select('id').order('details->stars'),
      places.anon.from('places').select('id', { count: 'exact' }).gt('rating', 1),
      places.anon.from('stays').select(),
    ])
      expect(await query).toMatchObject({ status: 401, error: { code: '42501' } })
  })

  it('says who is not let in', async () => {
    expect(await places.backend.client('nobody').from('places').select()).toMatchObject({
      status: 401,
      error: { code: 'PGRST301' },
    })
  })
})
