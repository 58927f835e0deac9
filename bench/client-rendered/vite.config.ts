import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { countryFlags } from '../../apps/page/country-flags.js'
import { eagerChunks } from './eager-chunks.js'

/** The page as it is usually built: an empty document, one script with everything in it, one style sheet. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), countryFlags(), eagerChunks()],
  // Files of their own, as in the page's build.
  build: { assetsInlineLimit: 0, copyPublicDir: false },
})
