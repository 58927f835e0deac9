import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { KEYS } from '../testing/running-backend.js'
import { runThings, type Things } from '../testing/things.js'

let things: Things
beforeAll(async () => {
  things = await runThings()
})
afterAll(() => things.backend.close())
beforeEach(() => things.reset())

describe('writing', () => {
  it('inserts one row, and shows it where that is wanted', async () => {
    expect(await things.table().insert({ id: 4, name: 'four' })).toMatchObject({
      status: 201,
      data: null,
      error: null,
    })
    expect(await things.table().insert({ id: 5 }).select('id, price').single()).toMatchObject({
      status: 201,
      data: { id: 5, price: 1.5 },
    })
  })

  it('inserts many rows', async () => {
    const rows = [
      { id: 6, name: 'six' },
      { id: 7, name: null },
    ]
    expect((await things.table().insert(rows).select('id, name')).data).toEqual(rows)
    expect(await things.table().insert([{ id: 8 }, { id: 9 }], { count: 'exact' })).toMatchObject({
      count: 2,
    })
  })

  it('takes missing keys for null where the columns are named', async () => {
    const { data } = await things
      .table()
      .insert([{ id: 6 }, { id: 7, name: 'seven' }])
      .select('id, name')
    expect(data).toEqual([
      { id: 6, name: null },
      { id: 7, name: 'seven' },
    ])
    expect(await things.refusal('/things', { method: 'POST', body: '[{"id":10},{"name":"x"}]' })).toEqual([
      400,
      'PGRST102',
    ])
  })

  it('keeps every digit', async () => {
    await things.ask('/things', {
      method: 'POST',
      body: '{"id":4,"big":9223372036854775807,"price":0.12345}',
    })
    expect(await (await things.ask('/things?id=eq.4&select=big,price')).text()).toBe(
      '[{"big":9223372036854775807,"price":0.1235}]',
    )
  })

  it('takes the defaults of every column for rows without any key', async () => {
    const { data } = await things.backend.client(KEYS.secret).from('defaults').insert({}).select('note')
    expect(data).toEqual([{ note: 'none' }])
    expect(
      (await things.backend.client(KEYS.secret).from('defaults').insert([{}, {}]).select('note')).data,
    ).toHaveLength(2)
    expect(await things.backend.client(KEYS.secret).from('defaults').insert([]).select('note')).toMatchObject(
      {
        status: 201,
        data: [],
      },
    )
  })

  it('updates what the filters name', async () => {
    expect(
      await things
        .table()
        .update({ name: 'uno', data: { b: 2 } })
        .eq('id', 1),
    ).toMatchObject({ status: 204, error: null })
    expect(await things.table().update({ price: 2 }).eq('id', 1).select('name, data, price')).toMatchObject({
      status: 200,
      data: [{ name: 'uno', data: { b: 2 }, price: 2 }],
    })
    expect(await things.table().update({ name: 'x' }, { count: 'exact' }).eq('id', 9)).toMatchObject({
      status: 204,
      count: 0,
    })
    expect((await things.table().update({}).eq('id', 1)).status).toBe(204)
  })

  it('deletes what the filters name', async () => {
    expect((await things.table().delete().eq('id', 1).select('id')).data).toEqual([{ id: 1 }])
    expect(await things.table().delete({ count: 'exact' }).gt('id', 1)).toMatchObject({
      status: 204,
      count: 2,
    })
  })

  it('takes a write back that hits more rows than the one that was wanted', async () => {
    expect(await things.table().update({ name: 'x' }).gt('id', 0).select('id').single()).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 3 rows' },
    })
    expect((await things.table().select('id').eq('name', 'x')).data).toEqual([])
  })

  it('does not change every row by accident', async () => {
    expect(await things.refusal('/things', { method: 'DELETE' })).toEqual([400, '21000'])
    expect(await things.refusal('/things', { method: 'PATCH', body: '{"name":"x"}' })).toEqual([400, '21000'])
    expect((await things.table().delete()).error?.message).toBe('DELETE requires a WHERE clause')
    expect((await things.table().select('id')).data).toHaveLength(3)
  })

  it('shows only columns that the role may see', async () => {
    const anon = things.backend.client(KEYS.publishable)
    expect((await anon.from('things').select('id, name').eq('id', 1)).data).toEqual([{ id: 1, name: 'one' }])
    expect(await anon.from('things').select('secret')).toMatchObject({
      status: 401,
      error: { code: '42501' },
    })
    expect(await anon.from('things').select('id').eq('secret', 's1')).toMatchObject({ status: 401 })
    expect(await anon.from('things').select('id').order('secret')).toMatchObject({ status: 401 })
  })
})
