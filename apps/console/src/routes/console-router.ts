import { createRouter } from '@tanstack/react-router'
import { FailedScreen } from '../shell/failed-screen.js'
import { type ConsoleContext, ROUTES } from './routes.js'

/** The addresses of the console, and which screen each has. */
export const makeRouter = (context: ConsoleContext) =>
  createRouter({
    routeTree: ROUTES,
    basepath: '/-/console',
    context,
    // A screen's code comes while the pointer is on its way.
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: FailedScreen,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
