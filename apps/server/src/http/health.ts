import type { Db } from '@heyline/database'

/** Longest that readiness waits for the database, in ms. */
const PATIENCE_MS = 2_000

/**
 * `/-/health`: 200 while this process can serve, 503 while its database can't be asked. To `?nonce=…` it adds a `proof` of
 * which server this is.
 */
export async function health(
  db: Db,
  nonce: string | undefined,
  prove: (nonce: string) => string | undefined,
): Promise<Response> {
  const ready = await answers(db)
  return Response.json(
    {
      status: ready ? 'ok' : 'unavailable',
      live: true,
      ready,
      database: db.kind,
      ...(nonce !== undefined && { proof: prove(nonce) }),
    },
    { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } },
  )
}

async function answers(db: Db): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, false)
  })
  try {
    const asked = db.query('select 1').then(
      () => true,
      () => false,
    )
    return await Promise.race([asked, patience])
  } finally {
    clearTimeout(timer)
  }
}
