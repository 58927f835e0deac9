import type { Plugin } from 'vite'

const BASE = '/-/assets/'

/** Writes `phone.webmanifest`, by which browsers install the phone, with the icons under the names that they got. The server adds the address. */
export const installable = (): Plugin => ({
  name: 'installable',
  apply: 'build',
  generateBundle(_, bundle) {
    const icons = Object.keys(bundle).flatMap((file) => {
      const size = /^icon-(192|512)-.*\.png$/.exec(file)?.[1]
      const icon = { src: `${BASE}${file}`, type: 'image/png', sizes: `${size}x${size}` }
      return size ? [icon, { ...icon, purpose: 'maskable' }] : []
    })
    const manifest = {
      id: '/-/phone',
      name: 'Pocket phone',
      short_name: 'Phone',
      description: 'The telephone that rings when a visitor asks to be called.',
      scope: '/-/phone',
      display: 'standalone',
      orientation: 'portrait',
      background_color: '#0e1412',
      theme_color: '#0e1412',
      icons,
    }
    this.emitFile({ type: 'asset', fileName: 'phone.webmanifest', source: JSON.stringify(manifest) })
  },
})
