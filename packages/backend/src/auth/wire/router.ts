import type { AuthRoute, AuthRoutes } from './request.js'

interface Line {
  method: string
  pattern: RegExp
  route: AuthRoute
}

export interface Match {
  route: AuthRoute
  ids: readonly string[]
}

/** Finds the route of a request. */
export class Router {
  readonly #lines: readonly Line[]

  constructor(routes: AuthRoutes) {
    this.#lines = Object.entries(routes).map(([name, route]) => {
      const [method = '', path = ''] = name.split(' ')
      return {
        method,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
        route,
      }
    })
  }

  /** The route, the methods that the path has instead of this one, or undefined where there is no such path. */
  find(method: string, path: string): Match | readonly string[] | undefined {
    const methods: string[] = []
    for (const line of this.#lines) {
      const found = line.pattern.exec(path)
      if (!found) continue
      if (line.method === method) return { route: line.route, ids: found.slice(1) }
      methods.push(line.method)
    }
    return methods.length > 0 ? methods : undefined
  }
}
