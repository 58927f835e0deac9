import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bothSchemes } from './both-schemes.js'
import { firstTheme } from './first-theme.js'
import { withoutSchemas } from './without-schemas.js'

/** What the shell and every screen use. */
const SHELL =
  /@tanstack\/(react-router|router-core|history|react-query|query-core|react-store|store)\/|\/src\/(routes\/(signed-in|routes|console-router|search)|office\/use-operator|ui\/(icon|texts|button|placeholders|screen))\./

/** The server serves `dist/index.html` at `/-/console/`, with its settings, and the rest of `dist`, which is hashed, under `/-/assets/`. */
export default defineConfig({
  base: '/-/assets/',
  plugins: [react(), bothSchemes(), firstTheme(), withoutSchemas()],
  build: {
    assetsDir: '',
    // Nothing is inlined: the content security policy allows files of the own origin only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // They say little where others build beside it.
      checks: { bundlerTimings: false },
      input: { console: 'index.html' },
      output: {
        entryFileNames: 'console-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
        // What every screen needs is one file: it packs smaller, and comes in one go.
        codeSplitting: { groups: [{ name: 'shell', test: SHELL }] },
      },
    },
  },
})
