import { expect, it } from 'vitest'
import { describePlaces, type Places } from '../testing/places.js'
import { KEYS } from '../testing/running-backend.js'

type Query = ReturnType<ReturnType<Places['client']['from']>['select']>

describePlaces('a filter of the client', (places) => {
  it.each<[string, (query: Query) => Query, number[]]>([
    ['eq', (q) => q.eq('id', 1), [1]],
    ['eq of a text that needs care', (q) => q.eq('name', 'a,(b)"c'), [3]],
    ['neq', (q) => q.neq('id', 1), [2, 3]],
    ['gt', (q) => q.gt('rating', 3), [1]],
    ['gte', (q) => q.gte('rating', 3), [1, 2]],
    ['lt', (q) => q.lt('opened', '2020-06-01'), [1]],
    ['lte', (q) => q.lte('id', 2), [1, 2]],
    ['like', (q) => q.like('name', '%Mill'), [2]],
    ['like with a star', (q) => q.like('name', '*Mill'), [2]],
    ['likeAllOf', (q) => q.likeAllOf('name', ['%a%', '%C%']), [1]],
    ['likeAnyOf', (q) => q.likeAnyOf('name', ['Old%', '%Café']), [1, 2]],
    ['ilike', (q) => q.ilike('name', 'old%'), [2]],
    ['ilikeAllOf', (q) => q.ilikeAllOf('name', ['%A%', '%c%']), [1, 3]],
    ['ilikeAnyOf', (q) => q.ilikeAnyOf('name', ['OLD%', 'x']), [2]],
    ['regexMatch', (q) => q.regexMatch('name', '^[A-Z]\\w+ (Caf|M)'), [1, 2]],
    ['regexIMatch', (q) => q.regexIMatch('name', '^(old|A,)'), [2, 3]],
    ['is null', (q) => q.is('rating', null), [3]],
    ['is true', (q) => q.is('open', true), [1]],
    ['is unknown', (q) => q.filter('open', 'is', 'unknown'), [3]],
    ['is not_null', (q) => q.filter('open', 'is', 'not_null'), [1, 2]],
    ['isDistinct', (q) => q.isDistinct('rating', 3), [1, 3]],
    ['in', (q) => q.in('id', [1, 3]), [1, 3]],
    ['in of texts that need care', (q) => q.in('name', ['x,(y)', 'Old Mill']), [2]],
    ['in of a text with a quote', (q) => q.filter('name', 'in', '("a,(b)\\"c","Old Mill")'), [2, 3]],
    ['in of nothing', (q) => q.in('id', []), []],
    ['notIn', (q) => q.notIn('id', [1, 3]), [2]],
    ['contains, an array', (q) => q.contains('tags', ['food', 'sea']), [1]],
    ['contains, JSON', (q) => q.contains('details', { address: { city: 'Crail' } }), [2]],
    ['contains, a range', (q) => q.contains('seats', '[12,13)'), [1]],
    ['containedBy, an array', (q) => q.containedBy('tags', ['food', 'x']), [2, 3]],
    [
      'containedBy, JSON',
      (q) => q.containedBy('details', { address: { city: 'Crail' }, stars: 5, more: 1 }),
      [2],
    ],
    ['overlaps', (q) => q.overlaps('tags', ['sea', 'x']), [1]],
    ['overlaps, a range', (q) => q.overlaps('seats', '[15,25)'), [1, 2]],
    ['rangeGt', (q) => q.rangeGt('seats', '[1,15)'), [2]],
    ['rangeGte', (q) => q.rangeGte('seats', '[15,16)'), [2]],
    ['rangeLt', (q) => q.rangeLt('seats', '[20,21)'), [1]],
    ['rangeLte', (q) => q.rangeLte('seats', '[1,25)'), [1]],
    ['rangeAdjacent', (q) => q.rangeAdjacent('seats', '[1,10)'), [1]],
    ['match, of several columns', (q) => q.match({ id: 1, open: true }), [1]],
    ['not eq', (q) => q.not('id', 'eq', 1), [2, 3]],
    ['not in', (q) => q.not('id', 'in', '(1,2)'), [3]],
    ['not is null', (q) => q.not('rating', 'is', null), [1, 2]],
    ['not contains', (q) => q.not('tags', 'cs', '{food}'), [3]],
    ['eq any', (q) => q.filter('id', 'eq(any)', '{1,3}'), [1, 3]],
    ['gt all', (q) => q.filter('id', 'gt(all)', '{1,2}'), [3]],
    ['match any', (q) => q.filter('name', 'match(any)', '{^H,^O}'), [1, 2]],
    ['or', (q) => q.or('id.eq.1,rating.is.null'), [1, 3]],
    ['or of quoted values', (q) => q.or('name.eq."a,(b)\\"c",name.eq.Old Mill'), [2, 3]],
    ['or with trees inside', (q) => q.or('id.eq.3,and(open.is.true,not.or(id.eq.2,id.eq.3))'), [1, 3]],
    [
      'or with a list, an array and any',
      (q) => q.or('id.in.(3,4),tags.cs.{food,sea},name.like(any).{Old*,x}'),
      [1, 2, 3],
    ],
    ['or beside another filter', (q) => q.or('id.eq.1,id.eq.2').eq('open', false), [2]],
    ['two ors', (q) => q.or('id.eq.1,id.eq.2').or('id.eq.2,id.eq.3'), [2]],
    ['a path into JSON, as text', (q) => q.eq('details->address->>city', 'Leith'), [1]],
    ['a path into JSON, as JSON', (q) => q.gt('details->stars', 4), [2]],
    ['a path to an index', (q) => q.eq('details->address->lines->>0', '1 Quay'), [1]],
    ['a path to a null', (q) => q.is('details->address->lines->>1', null), [1, 2, 3]],
    ['a path from the end', (q) => q.eq('details->address->lines->>-2', '1 Quay'), [1]],
    ['a path into what is no JSON', (q) => q.eq('tags->>0', 'food'), [1, 2]],
    ['a path in a tree', (q) => q.or('details->>stars.eq.5,details->address->>city.eq.Leith'), [1, 2]],
    ['a path with a key that needs care', (q) => q.is('details->>"a.b, \\"c"', null), [1, 2, 3]],
  ])('%s', async (_, filter, ids) => {
    const { data, error } = await filter(places.client.from('places').select('id')).order('id')
    expect(error).toBeNull()
    expect(data).toEqual(ids.map((id) => ({ id })))
  })

  it('negates whole trees', async () => {
    const url = `${places.backend.url}/rest/v1/places?select=id&order=id&not.or=(id.eq.1,id.eq.2)`
    const headers = { apikey: KEYS.secret }
    expect(await (await fetch(url, { headers })).json()).toEqual([{ id: 3 }])
  })

  it('takes nothing of a value or key for SQL', async () => {
    const text = `'; drop table public.places; -- " $1 \\`
    const table = () => places.client.from('places')
    expect((await table().select('id').eq('name', text)).data).toEqual([])
    expect((await table().select('id').in('name', [text])).data).toEqual([])
    expect(
      (
        await table()
          .select('id')
          .or(`name.eq.${JSON.stringify(text)}`)
      ).data,
    ).toEqual([])
    const key = text.replace(/["\\]/g, '\\$&')
    expect(await table().select(`x:details->"${key}"`).eq('id', 1)).toMatchObject({ data: [{ x: null }] })
    expect((await table().select('id')).data).toHaveLength(3)
  })

  it.each<[string, (query: Query) => Query, number, string]>([
    ['full-text search', (q) => q.textSearch('name', 'mill'), 400, 'PGRST127'],
    ['a tree that does not read', (q) => q.or('id.eq.1,'), 400, 'PGRST100'],
    ['an unknown column', (q) => q.eq('zip', 1), 400, '42703'],
    ['an unknown column in a tree', (q) => q.or('zip.eq.1'), 400, '42703'],
    ['a function of the row in a tree', (q) => q.or('row_to_json.eq.1'), 400, '42703'],
    ['a value of another type', (q) => q.eq('id', 'x'), 400, '22P02'],
    ['an array that is none', (q) => q.filter('id', 'eq(any)', '1'), 400, '22P02'],
    ['a pattern that is none', (q) => q.regexMatch('name', '('), 400, '2201B'],
    ['an operator that the type has not', (q) => q.contains('id', ['1']), 404, '42883'],
    ['a path out of a text', (q) => q.eq('details->>a->b', 1), 404, '42883'],
  ])('refuses %s', async (_, filter, status, code) => {
    expect(await filter(places.client.from('places').select('id'))).toMatchObject({ status, error: { code } })
  })
})
