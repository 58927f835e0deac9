import { errorResponse } from '../call/call-error.js'

/** Longest slug in a challenge, in characters. */
const MAX_SLUG = 200

function answer(request: Request, slug: string): Response | undefined {
  if (request.method === 'OPTIONS')
    return new Response(null, {
      status: 204,
      headers: { 'access-control-allow-methods': 'GET', 'access-control-max-age': '86400' },
    })
  if (request.method !== 'GET') {
    const refusal = errorResponse('method_not_allowed', 'Use GET.')
    refusal.headers.set('allow', 'GET, OPTIONS')
    return refusal
  }
  return slug === '' || slug.length > MAX_SLUG ? errorResponse('invalid_slug') : undefined
}

/** Answers GET `?slug=…` with the challenge that `make` makes for the slug, and preflights. Which origins may ask is for the server to say. */
export async function answerChallenge(
  request: Request,
  make: (slug: string) => Promise<object>,
): Promise<Response> {
  const slug = new URL(request.url).searchParams.get('slug') ?? ''
  return (
    answer(request, slug) ?? Response.json(await make(slug), { headers: { 'cache-control': 'no-store' } })
  )
}
