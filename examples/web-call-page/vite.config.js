import { defineConfig } from 'vite'

const { PLATFORM_URL = 'https://api.vapi.ai', PLATFORM_PUBLIC_KEY, PLATFORM_ASSISTANT_ID } = process.env
if (!PLATFORM_PUBLIC_KEY || !PLATFORM_ASSISTANT_ID)
  throw new Error('Set PLATFORM_PUBLIC_KEY and PLATFORM_ASSISTANT_ID: the page needs them to start a call.')

export default defineConfig({
  define: {
    'import.meta.env.PLATFORM_URL': JSON.stringify(PLATFORM_URL),
    'import.meta.env.PLATFORM_PUBLIC_KEY': JSON.stringify(PLATFORM_PUBLIC_KEY),
    'import.meta.env.PLATFORM_ASSISTANT_ID': JSON.stringify(PLATFORM_ASSISTANT_ID),
  },
  // The socket room loads its audio thread from a file of its own. Inlined, a strict policy would refuse it.
  build: { assetsInlineLimit: 0 },
})
