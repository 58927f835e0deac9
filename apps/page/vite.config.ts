import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { countryFlags } from './country-flags.js'
import { minifiedAssets } from './minified-assets.js'
import { plainImports } from './plain-imports.js'
import { withoutPropTypes } from './without-prop-types.js'
import { withoutUnusedReact } from './without-unused-react.js'

/** What runs in Node: the renderer, parts of it by themselves, and the maker of the static page, by itself and as a command. */
const SERVER_ENTRIES = {
  index: 'src/server/index.ts',
  policy: 'src/content-security-policy.ts',
  secrets: 'src/secrets/index.ts',
  sizes: 'src/sizes/index.ts',
  static: 'src/static/index.ts',
  'static-build': 'src/static/static-build.ts',
}

/**
 * Two builds of one source: `vite build` makes the client in `dist/client`, `vite build --ssr` the entries above in
 * `dist/server`, which read the client's manifest. There is no index.html: the renderer writes the document.
 */
export default defineConfig(({ isSsrBuild }) => ({
  base: '/-/assets/',
  appType: 'custom',
  plugins: [
    react(),
    countryFlags(),
    plainImports(),
    withoutPropTypes(),
    withoutUnusedReact(),
    minifiedAssets(),
  ],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    assetsDir: '',
    assetsInlineLimit: 0,
    manifest: !isSsrBuild,
    copyPublicDir: false,
    modulePreload: false,
    rolldownOptions: {
      // They say little where others build beside it.
      checks: { bundlerTimings: false },
      input: isSsrBuild ? SERVER_ENTRIES : ['src/client.tsx', 'src/icon.svg'],
    },
  },
}))
