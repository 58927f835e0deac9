const words = (text: string): string[] => text.trim().split(/\s+/)

/** Pieces that parsers, Postgres or people trip over. None of them is a secret. */
export const PIECES: readonly string[] = [
  '',
  ...words(
    String.raw`* % _ \ \\ " "" ' '' ${'`'} () ( ) (,) (" {} { } [] , . : + # ? & = -- /* ; $1 $$ {{}} <> @`,
  ),
  ...words('null true 0 -1 1e999 99999999999999999999 NaN -0 0x10 2147483648 infinity now 2026-02-30'),
  ...words('%00 %zz %u0000 %ff %ed%a0%80 %E0%80%AF %0d%0a %2525 \\x00 \\u0000'),
  ...[
    '\u0000',
    '\ud800',
    '\uffff',
    'é',
    '𝄞',
    '\u202e',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '\u00a0',
    '\ufeff',
    '\u0130',
    '\u212a',
  ],
  ...[';drop table visitors;--', "' or true --", '" or true --', "fts.'a' & ", '1;select 1', '(select 1)'],
  ...words(
    "::regclass ::text ::json ::int ::nonsense :: ->>a -> ->> ->0 ->-1 ->99999999999 ->'a' ->a->b->>c",
  ),
  ...words(
    '.. ../.. ...x(*) public.visitors private.ledger pg_catalog.pg_class pg_sleep(9) current_user whisper',
  ),
  ...words('ctid tableoid xmin select count() slug.max() *,* a:b:c::d ledger(*) visitors!inner(*)'),
  ...words(
    'not. not.not. any (all) (any) eq(all).{a} or=( and=() or=(slug.eq.a, not.or=(a.is.null) and=(or(and()))',
  ),
  ...words(
    'limit=-1 limit=0 offset=1e9 order=slug.x order=slug.asc.asc on_conflict= on_conflict=slug on_conflict=id,id',
  ),
  ...words(
    'columns= columns=id select= select=id,id eq. in.() in.( in.(,) is. is.nonsense match.(( match.[ like.\\',
  ),
  ...words(
    'fts. fts(nonsense).a cs.{ cs.[ cs.{"a":} ov.x cd.1 sl.[1,2) adj.x isdistinct. rpc/sum_of rpc/ rpc a=1 b=x',
  ),
  ...words('hidden-lead-1 hidden-lead-4 HIDDEN-LEAD-2 __proto__ constructor toString hasOwnProperty'),
  // What costs Postgres much, and is refused to the public key.
  ...words('match.(?=(a|a?)+$)(?=.*.*.*b)b imatch.(?!a)(?<=b) select=*,* select=a:system,b:system,c:system'),
  `select=${'system,'.repeat(1500)}id`,
  `slug=ilike.${'*a'.repeat(300)}`,
  `id=in.(${'1,'.repeat(600)}1)`,
  `order=${'slug,'.repeat(20)}slug`,
  'a'.repeat(300),
  '('.repeat(200),
  '"'.repeat(301),
  'and('.repeat(150),
  'not.'.repeat(100),
  '->a'.repeat(200),
  'x'.repeat(9000),
]

export const BODIES: readonly string[] = [
  '',
  ...words('{} [] [{}] [[]] [null] null 1 "x" true { [ {"a":} undefined a=b {"a":1}{"b":2} \ufeff{}'),
  ...words(
    '{"slug":1} {"slug":"\\u0000"} {"slug":"\\ud800"} {"id":"x"} {"listed":"maybe"} {"":1} {"__proto__":1}',
  ),
  ...words(
    '{"a\\"b":1} [{"slug":"a"},{"name":"b"}] {"slug":"a","slug":"b"} {"data":{"a":1e999}} {"price":1e999999}',
  ),
  ...words(
    '{"name":null} {"tags":"x"} {"tags":[[1],[1,2]]} {"made":"tomorrow"} {"id":99999999999} {"a":1e400,"b":{}}',
  ),
  '['.repeat(5000),
  `{"slug":${'['.repeat(90)}${']'.repeat(90)}}`,
  '\\"'.repeat(20_000),
  JSON.stringify(Array.from({ length: 2000 }, () => ({ slug: 'same', name: 'x' }))),
  JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`c${n}`, n]))),
]

export const METHODS = words('GET HEAD POST PATCH DELETE PUT OPTIONS REPORT TRACE SEARCH')

export const HEADER_NAMES = words(`
  prefer accept range range-unit accept-profile content-profile content-type x-visitor-slug authorization
  x-http-method-override cookie if-match accept-encoding content-encoding origin
`)

export const HEADER_VALUES: readonly string[] = [
  ...words(
    'count=exact return=representation return=headers-only resolution=merge-duplicates resolution=x tx=rollback',
  ),
  ...words(
    'missing=default handling=strict max-affected=0 timezone=Nowhere/Never timezone=America/Lima params=x',
  ),
  ...words('0-5 5-0 -5 0- 0-99999999999999999999 */* */*;q=0 text/csv text/plain private PUBLIC Bearer gzip'),
  ...words(
    'application/vnd.pgrst.object+json application/vnd.pgrst.plan+json application/json;nulls=stripped',
  ),
  ...['handling=strict, x=y', 'Bearer a.b.c', 'Basic YTpi', 'return=minimal, return=representation'],
]
