import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

/** Hashed static files of the front ends, beside their `.br` and `.gz` forms; looked for in each folder in turn. */
export function assets(folders: readonly string[]): Hono {
  const app = new Hono()
  for (const root of folders)
    app.get(
      '/*',
      serveStatic({
        root,
        precompressed: true,
        rewriteRequestPath: (path) => path.replace(/^\/-\/assets/, ''),
        onFound: (_, context) => {
          context.header('cache-control', 'public, max-age=31536000, immutable')
          context.header('x-content-type-options', 'nosniff')
        },
      }),
    )
  return app
}
