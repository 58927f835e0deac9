import { type Prey, type Probe, probesOf } from '../probe.js'

const VISITORS = '/rest/v1/visitors'
const SCHEMAS = [
  'private',
  'auth',
  'call_desk',
  'voice_platform',
  'supabase_migrations',
  'extensions',
  'pg_catalog',
  'information_schema',
  'pg_toast',
  'PUBLIC',
  '"public"',
  'public,private',
  '',
]
const RELATIONS = [
  'ledger',
  'call_requests',
  'calls',
  'assistants',
  'schema_migrations',
  'pg_stats',
  'pg_roles',
  'pg_authid',
  'pg_settings',
  'pg_stat_activity',
  'pg_class',
  'tables',
  'private.ledger',
  'private%2Eledger',
  'call_desk.call_requests',
  'pg_catalog.pg_stats',
  'visitors%22%20union%20select%20*%20from%20private.ledger--',
  'visitors;select%201',
  'VISITORS',
  'visitors_slug',
  '..%2Fledger',
  'visitors/../ledger',
]
const FUNCTIONS = [
  'whisper',
  'request_slug',
  'private.request_slug',
  'pg_sleep',
  'pg_read_file',
  'set_config',
  'current_setting',
  'query_to_xml',
  'version',
  'uid',
  'lo_export',
  'dblink',
  'pg_notify',
  'visitors',
]
const SELECTIONS = [
  'visitors',
  'v:visitors',
  'visitors.*',
  'ctid,xmin,tableoid',
  'tableoid::regclass',
  'slug::regclass',
  'name::regprocedure',
  'system->a',
  'system->>a',
  'system->0->>b',
  'id->x',
  'listed::text,slug::varchar',
  '*,*',
  'slug,(select%20system)',
  'a:system,b:system',
  'current_user',
  'slug::text%20from%20private.ledger--',
  'system::json->>a',
]
const EMBEDS = [
  'ledger(*)',
  'visitors(*)',
  'x:ledger!inner(*)',
  '...ledger(note)',
  'private.ledger(*)',
  'call_requests(*)',
  'visitors!visitors_slug(system)',
  'slug(*)',
]

/** Everything beside the visitors' own rows: other tables, schemas, functions, columns that are none, and what describes them. */
export function reachingProbes(prey: Prey): Probe[] {
  const table = probesOf('table', prey)
  const schema = probesOf('schema', prey)
  const call = probesOf('function', prey)
  const select = probesOf('select', prey)
  const embed = probesOf('embed', prey)
  const metadata = probesOf('metadata', prey)
  return [
    ...RELATIONS.map((name) => table.ask(`/rest/v1/${name}`)),
    table.ask('/rest/v1/ledger?select=note&name=like.hush*', { headers: [['prefer', 'count=exact']] }),
    table.ask('/rest/v1/ledger', { method: 'HEAD', headers: [['prefer', 'count=exact']] }),

    ...SCHEMAS.flatMap((name) => [
      schema.ask('/rest/v1/ledger', { headers: [['accept-profile', name]] }),
      schema.ask('/rest/v1/call_requests', { headers: [['accept-profile', name]] }),
      schema.ask('/rest/v1/ledger', {
        method: 'POST',
        headers: [
          ['content-profile', name],
          ['prefer', 'return=representation'],
        ],
        body: '{"note":"x"}',
      }),
    ]),

    ...FUNCTIONS.flatMap((name) => [
      call.ask(`/rest/v1/rpc/${name}`),
      call.ask(`/rest/v1/rpc/${name}`, { method: 'POST', body: '{}' }),
    ]),
    call.ask('/rest/v1/rpc/set_config?setting_name=role&new_value=service_role&is_local=true'),
    call.ask('/rest/v1/rpc/set_config', {
      method: 'POST',
      body: '{"setting_name":"heyline.visitor_access","new_value":"open","is_local":false}',
    }),
    call.ask(VISITORS),
    call.ask('/rest/v1/rpc/whisper', { headers: [['accept-profile', 'public']] }),
    call.ask('/rest/v1/rpc/query_to_xml?query=select%20*%20from%20private.ledger'),

    ...SELECTIONS.map((columns) => select.ask(`${VISITORS}?select=${columns}`)),
    select.ask(`${VISITORS}?select=slug&system->>a=eq.x`),
    select.ask(`${VISITORS}?ctid=eq.(0,1)`),
    select.ask(`${VISITORS}?order=tableoid`),

    ...EMBEDS.map((columns) => embed.ask(`${VISITORS}?select=slug,${columns}`)),
    embed.ask(`${VISITORS}?select=slug&ledger.note=like.*`),
    embed.ask(`${VISITORS}?order=ledger(note)`),

    metadata.ask('/rest/v1/'),
    metadata.ask('/rest/v1'),
    metadata.ask('/rest/v1/', { headers: [['accept', 'application/openapi+json']] }),
    metadata.ask('/'),
    ...['json', 'text'].map((form) =>
      metadata.ask(VISITORS, {
        headers: [['accept', `application/vnd.pgrst.plan+${form}; options=analyze|verbose|settings|buffers`]],
      }),
    ),
    metadata.guess(prey.slug, (slug) => `${VISITORS}?slug=eq.${slug}`, {
      headers: [['accept', 'application/vnd.pgrst.plan']],
    }),
    ...['text/csv', 'application/geo+json', 'application/octet-stream', 'text/xml', '*/*'].map((type) =>
      metadata.ask(VISITORS, { headers: [['accept', type]] }),
    ),
    metadata.ask('/auth/v1/admin/users'),
    metadata.ask('/auth/v1/signup', {
      method: 'POST',
      body: '{"email":"a@b.example","password":"password"}',
    }),
    metadata.ask('/storage/v1/bucket'),
    metadata.ask('/graphql/v1', {
      method: 'POST',
      body: '{"query":"{visitorsCollection{edges{node{system}}}}"}',
    }),
    metadata.ask('/functions/v1/'),
    metadata.ask('/pg/tables'),
  ]
}
