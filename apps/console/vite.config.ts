import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The server serves `dist/index.html` at `/-/console/`, with its settings, and the rest of `dist`, which is hashed, under `/-/assets/`. */
export default defineConfig({
  base: '/-/assets/',
  plugins: [react()],
  build: {
    assetsDir: '',
    // Nothing is inlined: the content security policy allows files of the own origin only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { console: 'index.html' },
      output: {
        entryFileNames: 'console-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
      },
    },
  },
})
