import type { Plugin } from 'vite'

/** What neither the page nor a package of its form calls, of React's two files that no bundler can look into. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  'react.production.js': [
    ...['Activity', 'Children', 'Profiler', 'StrictMode', 'Suspense', 'ViewTransition'],
    ...['addTransitionType', 'cache', 'cacheSignal', 'cloneElement', 'createContext', 'isValidElement'],
    ...[
      'startTransition',
      'unstable_useCacheRefresh',
      'use',
      'useActionState',
      'useContext',
      'useDeferredValue',
    ],
    ...['useEffectEvent', 'useId', 'useInsertionEffect', 'useOptimistic', 'useReducer', 'useTransition'],
  ],
  'react-dom.production.js': [
    ...['createPortal', 'preconnect', 'prefetchDNS', 'preinit', 'preinitModule', 'preload', 'preloadModule'],
    ...['requestFormReset', 'unstable_batchedUpdates', 'useFormState', 'useFormStatus', 'version'],
  ],
}

/** Leaves them out of the client: 1.7 kB of what hydration waits for. Their files are CommonJS, where everything counts as used. */
export function withoutUnusedReact(): Plugin {
  return {
    name: 'without-unused-react',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /node_modules\/react(-dom)?\/cjs\/react(-dom)?\.production\.js$/ },
      handler(code, id) {
        const names = UNUSED[id.slice(id.lastIndexOf('/') + 1)] ?? []
        return { code: names.reduce((rest, name) => without(rest, name, id), code), map: null }
      },
    },
  }
}

function without(code: string, name: string, id: string): string {
  const rest = code.replace(new RegExp(`^exports\\.${name} = (?:[\\w$".]+;|[^]*?^};)$`, 'm'), '')
  if (rest === code) throw new Error(`${id} has no ${name}: take it from the list in without-unused-react.ts`)
  return rest
}
