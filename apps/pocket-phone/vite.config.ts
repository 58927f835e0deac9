import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { minifiedAssets } from '../page/minified-assets.js'
import { installable } from './installable.js'

/** The server serves `dist/index.html` at `/-/phone` and the rest of `dist`, which is hashed, under `/-/assets/`. */
export default defineConfig({
  base: '/-/assets/',
  plugins: [react(), minifiedAssets(), installable()],
  build: {
    assetsDir: '',
    // Nothing is inlined: the content security policy allows files of the own origin only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // They say little where others build beside it.
      checks: { bundlerTimings: false },
      input: { phone: 'index.html' },
      output: {
        entryFileNames: 'phone-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
      },
    },
  },
})
