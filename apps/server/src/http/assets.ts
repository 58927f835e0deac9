import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

/** A file that Vite has named by its content: it never changes. */
const HASHED = /^\/[^/]+-[\w-]{8}\.(js|css|svg|png)$/
/** Flags keep their country's name. */
const FLAG = /^\/flags\/[A-Z]{2}\.svg$/

const YEAR_S = 31_536_000
const DAY_S = 86_400

/**
 * The front ends' files under `/-/assets`, beside their `.br` and `.gz` forms; looked for in each folder in turn.
 * What lies in those folders besides, such as manifests and documents, is not served.
 */
export function assets(folders: readonly string[]): Hono {
  const app = new Hono()
  app.use('/*', async ({ req, notFound }, next) => {
    const file = fileOf(req.path)
    return HASHED.test(file) || FLAG.test(file) ? next() : notFound()
  })
  for (const root of folders)
    app.get(
      '/*',
      serveStatic({
        root,
        precompressed: true,
        rewriteRequestPath: fileOf,
        onFound: (_, context) => {
          const forever = HASHED.test(fileOf(context.req.path))
          const age = forever ? `${YEAR_S}, immutable` : DAY_S
          context.header('cache-control', `public, max-age=${age}`)
          context.header('x-content-type-options', 'nosniff')
        },
      }),
    )
  return app
}

const fileOf = (path: string) => path.replace(/^\/-\/assets/, '')
