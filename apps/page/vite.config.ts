import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { countryFlags } from './country-flags.js'
import { plainImports } from './plain-imports.js'

/**
 * Two builds of one source: `vite build` makes the client in `dist/client`, `vite build --ssr` the renderer in
 * `dist/server`, which reads the client's manifest. There is no index.html: the renderer writes the document.
 */
export default defineConfig(({ isSsrBuild }) => ({
  base: '/-/assets/',
  appType: 'custom',
  plugins: [react(), countryFlags(), plainImports()],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    assetsDir: '',
    assetsInlineLimit: 0,
    manifest: !isSsrBuild,
    copyPublicDir: false,
    modulePreload: false,
    rolldownOptions: {
      input: isSsrBuild ? { index: 'src/server/index.ts' } : ['src/client.tsx', 'src/icon.svg'],
    },
  },
}))
