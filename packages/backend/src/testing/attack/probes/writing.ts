import { mistaken, type Prey, type Probe, probesOf } from '../probe.js'

const VISITORS = '/rest/v1/visitors'

/** Writes, each in every way that could also show rows. The public key may write nothing, so each must be refused. */
export function writingProbes(prey: Prey): Probe[] {
  const { ask, guess } = probesOf('write', prey)
  const shown: [string, string] = ['prefer', 'return=representation']
  const own: [string, string] = ['x-visitor-slug', prey.own]
  const visitor = JSON.stringify({ slug: 'mine', name: 'Mine', listed: true })
  const write = (method: string, path: string, body?: string, headers: [string, string][] = []) =>
    ask(path, { method, headers: [['content-type', 'application/json'], ...headers], ...(body && { body }) })
  const insert = (slug: string) =>
    ask(VISITORS, { method: 'POST', body: JSON.stringify({ slug, name: 'x' }) })
  return [
    write('POST', VISITORS, visitor),
    write('POST', VISITORS, visitor, [shown]),
    write('POST', `${VISITORS}?select=system`, visitor, [shown, own]),
    write('POST', VISITORS, `[${visitor},${visitor}]`),
    write('POST', `${VISITORS}?columns=slug,name`, visitor),
    write('POST', `${VISITORS}?on_conflict=slug`, visitor, [['prefer', 'resolution=merge-duplicates']]),
    write('POST', `${VISITORS}?on_conflict=id`, visitor, [['prefer', 'resolution=ignore-duplicates'], shown]),
    write('POST', VISITORS, '{}', [['prefer', 'missing=default']]),
    write('PATCH', `${VISITORS}?slug=eq.default`, '{"name":"x"}'),
    write('PATCH', `${VISITORS}?slug=eq.${prey.slug}`, '{"listed":true}', [shown]),
    write('PATCH', `${VISITORS}?listed=is.false`, '{"listed":true}'),
    write('PATCH', `${VISITORS}?slug=eq.${prey.own}`, '{"listed":true}', [own, shown]),
    write('DELETE', `${VISITORS}?slug=eq.default`),
    write('DELETE', `${VISITORS}?slug=neq.x`, undefined, [shown]),
    write('DELETE', `${VISITORS}?slug=eq.${prey.own}`, undefined, [own, shown]),
    write('PUT', `${VISITORS}?slug=eq.${prey.slug}`, visitor),
    write('POST', '/rest/v1/ledger', '{"id":99,"note":"x"}', [shown]),
    write('PATCH', '/rest/v1/ledger?id=eq.1', '{"note":"x"}', [shown]),
    write('DELETE', '/rest/v1/ledger?id=eq.1'),
    // Whether a slug is taken must not be told, either.
    { ...insert(prey.slug), wrong: insert(mistaken(prey.slug)).request },
    guess(prey.slug, (slug) => `${VISITORS}?slug=eq.${slug}`, { method: 'PATCH', body: '{"name":"x"}' }),
    guess(prey.slug, (slug) => `${VISITORS}?slug=eq.${slug}`, { method: 'DELETE' }),
    write('POST', VISITORS, '{"slug":"\\u0000"}'),
    write('POST', VISITORS, `${'['.repeat(50_000)}`),
    write('POST', VISITORS, 'not json'),
    write('POST', VISITORS, '{"__proto__":{"slug":"x"}}'),
  ]
}
