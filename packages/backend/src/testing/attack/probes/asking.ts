import { createHmac } from 'node:crypto'
import { apikey, type Prey, type Probe, probesOf } from '../probe.js'

const VISITORS = '/rest/v1/visitors'

/** Everything around the query: who asks, as whom, in which encoding and by which method. */
export function askingProbes(prey: Prey): Probe[] {
  const slugs = probesOf('slug header', prey)
  const header = probesOf('header', prey)
  const token = probesOf('token', prey)
  const encoding = probesOf('encoding', prey)
  const method = probesOf('method', prey)
  const slug = (value: string): [string, string] => ['x-visitor-slug', value]
  const bearer = (value: string): [string, string] => ['authorization', `Bearer ${value}`]
  return [
    ...[
      '',
      '*',
      '%',
      '_',
      'hidden-lead-_',
      'hidden-lead-%',
      `${prey.own},${prey.slug}`,
      `${prey.own}, ${prey.slug}`,
      `{${prey.slug}}`,
      `["${prey.slug}"]`,
      `"${prey.slug}"`,
      `${prey.slug}%00`,
      // The header is decoded once: these become patterns, and an encoded slug.
      '%25',
      'hidden-lead-%25',
      'hidden-lead-%5F',
      encodeURIComponent(prey.slug.replace('-', '%2D')),
      `${prey.slug}\\u0000`,
      `${prey.slug}","x-visitor-slug":"${prey.slug}`,
      "' or true --",
      '\u00ff\u00fe',
      'null',
      'x'.repeat(6000),
    ].map((value) => slugs.ask(VISITORS, { headers: [slug(value)] })),
    slugs.ask(VISITORS, { headers: [slug(prey.own), slug(prey.slug)] }),
    slugs.ask(VISITORS, { headers: [slug(prey.slug), slug(prey.own)] }),
    slugs.ask(VISITORS, { headers: [['x_visitor_slug', prey.slug]] }),
    slugs.ask(VISITORS, { headers: [['x-visitor-slug-', prey.slug]] }),
    slugs.ask(VISITORS, { headers: [['cookie', `x-visitor-slug=${prey.slug}`]] }),
    slugs.ask(`${VISITORS}?x-visitor-slug=${prey.slug}`),
    slugs.ask(`${VISITORS}?slug=eq.${prey.slug}`, { headers: [slug(prey.own)] }),

    ...(
      [
        ['role', 'service_role'],
        ['x-role', 'service_role'],
        ['x-forwarded-for', '127.0.0.1'],
        ['x-forwarded-host', 'localhost'],
        ['forwarded', 'for=127.0.0.1;host=localhost'],
        ['request.jwt.claims', '{"role":"service_role"}'],
        ['heyline.visitor_access', 'open'],
        ['x-heyline-visitor-access', 'open'],
        ['prefer', 'params=multiple-objects'],
        ['prefer', 'tx=rollback, handling=strict'],
        ['prefer', 'timezone=UTC;set role service_role'],
        ['prefer', 'return=representation, return=representation, count=exact'],
        ['range', '0-99999999999999999999'],
        ['range', 'items=0-'],
        ['if-none-match', '*'],
        ['expect', 'x'],
        ['content-encoding', 'gzip'],
        ['accept', 'application/vnd.pgrst.object+json'],
        ['__proto__', '{"x-visitor-slug":"hidden-lead-1"}'],
        ['constructor', 'x'],
      ] satisfies [string, string][]
    ).map((one) => header.ask(VISITORS, { headers: [one] })),
    header.ask(VISITORS, {
      headers: [
        ['range', '0-1'],
        ['range', '2-9'],
      ],
    }),
    header.ask(`${VISITORS}?%0d%0ax-injected:%201`),
    header.ask(`/rest/v1/visitors%0d%0ax-injected:%201`),

    ...forgeries(prey.publicKey).map((forged) => token.ask(VISITORS, { headers: [bearer(forged)] })),
    ...forgeries(prey.publicKey).map((forged) => token.ask(VISITORS, { headers: [apikey(forged)] })),
    token.ask(VISITORS, { headers: [apikey(''), bearer('')] }),
    token.ask(VISITORS, { headers: [apikey(`${prey.publicKey} `), bearer(prey.publicKey)] }),
    token.ask(VISITORS, { headers: [apikey(prey.publicKey.replace('publishable', 'secret'))] }),
    token.ask(VISITORS, { headers: [['authorization', `Basic ${btoa(`service_role:${prey.publicKey}`)}`]] }),
    token.ask(`${VISITORS}?apikey=${prey.publicKey.replace('publishable', 'secret')}`),
    token.ask(`${VISITORS}?role=service_role`),
    token.ask(VISITORS, { headers: [apikey(prey.publicKey), apikey('service_role')] }),

    ...[
      `${VISITORS}?slug=eq.%00`,
      `${VISITORS}?slug=eq.%ff%fe`,
      `${VISITORS}?slug=eq.%ed%a0%80`,
      `${VISITORS}?slug=eq.%`,
      `${VISITORS}?slug=eq.%zz`,
      `${VISITORS}?slug=eq.%E0%80%AF`,
      `${VISITORS}?slug=eq.${encodeURIComponent(encodeURIComponent(prey.slug))}`,
      `${VISITORS}?%73elect=*&%6cimit=5`,
      `${VISITORS}?select=slug&select=system`,
      `${VISITORS}?slug=eq.default&slug=eq.${prey.slug}`,
      `${VISITORS}?slug=in.(${'a,'.repeat(3000)}${prey.slug})`,
      `${VISITORS}?${'or=('.repeat(500)}`,
      `${VISITORS}?or=${'('.repeat(5000)}${')'.repeat(5000)}`,
      `${VISITORS}?slug=eq.${'x'.repeat(10_000)}`,
      `${VISITORS}?slug=like.${'%25_'.repeat(500)}`,
      `${VISITORS}?slug=match.${'(a*)*'.repeat(30)}b`,
      `${VISITORS}?slug=eq.'%20or%20true--`,
      `${VISITORS}?slug=eq.default'%3B%20drop%20table%20visitors%3B--`,
      `${VISITORS}?"slug"=eq.x`,
      `${VISITORS}?slug%22%20is%20not%20null%20or%20%22slug=eq.x`,
      `${VISITORS}?limit=1%3Bselect%201`,
      `${VISITORS}?order=slug%3Bselect%201`,
      `${VISITORS}?select=slug%22,system%20as%20%22x`,
      `/rest/v1//visitors`,
      `/rest/v1/visitors/`,
      `/rest/v1/visitors/1`,
      `/rest/v1/%76isitors`,
      `/rest/v1/visitors%00`,
      `/rest/v1/./visitors`,
      `/rest/../rest/v1/visitors`,
      `/REST/V1/visitors`,
    ].map((path) => encoding.ask(path)),

    ...['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((verb) => [
      method.ask(VISITORS, { headers: [['x-http-method-override', verb]] }),
      method.ask(`${VISITORS}?_method=${verb}`),
    ]),
    method.ask(VISITORS, { method: 'POST', headers: [['x-http-method-override', 'GET']], body: '{}' }),
    ...['OPTIONS', 'TRACE', 'REPORT', 'PROPFIND', 'SEARCH', 'LOCK', 'PUT'].map((verb) =>
      method.ask(VISITORS, { method: verb }),
    ),
    method.ask(VISITORS, { method: 'OPTIONS', headers: [['origin', 'https://evil.example']] }),
  ]
}

/** Tokens that claim to be the service, signed with nothing, with what is public, or not at all any more. */
function forgeries(publicKey: string): string[] {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { role: 'service_role', iss: 'supabase', exp: 4102444800 }
  const signed = (secret: string, header: object, body: object): string => {
    const text = `${part(header)}.${part(body)}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const hs256 = { alg: 'HS256', typ: 'JWT' }
  return [
    `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`,
    `${part({ alg: 'None' })}.${part(claims)}.x`,
    signed(publicKey, hs256, claims),
    signed('', hs256, claims),
    signed('secret', hs256, claims),
    signed('super-secret-jwt-token-with-at-least-32-characters-long', hs256, claims),
    signed(publicKey, { alg: 'HS256', kid: '../../dev/null' }, claims),
    signed(publicKey, { alg: 'HS256', jwk: { kty: 'oct', k: part(publicKey) } }, claims),
    signed(publicKey, { alg: 'HS256', crit: ['exp'] }, claims),
    signed(publicKey, hs256, { ...claims, exp: 1 }),
    signed(publicKey, hs256, { ...claims, role: 'postgres' }),
    signed(publicKey, hs256, { ...claims, role: ['service_role'] }),
    `${part(hs256)}.${part(claims)}.${'A'.repeat(43)}`,
    `${part({ alg: 'ES256' })}.${part(claims)}.${'A'.repeat(86)}`,
    'a.b.c',
    '..',
    'service_role',
    publicKey.slice(0, -1),
    publicKey.toUpperCase(),
    `${publicKey}x`,
  ]
}
