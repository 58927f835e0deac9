import { minify, type Plugin } from 'vite'

/** Minifies scripts that are files of their own, as the audio thread's is: Vite copies them as they stand. It halves them. */
export function minifiedAssets(): Plugin {
  return {
    name: 'minified-assets',
    apply: 'build',
    async generateBundle(_, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type !== 'asset' || !asset.fileName.endsWith('.js')) continue
        const script = typeof asset.source === 'string' ? asset.source : Buffer.from(asset.source).toString()
        const { code, errors } = await minify(asset.fileName, script, { module: true })
        if (errors.length > 0)
          throw new Error(`${asset.fileName} could not be minified: ${errors[0]?.message}`)
        asset.source = code
      }
    },
  }
}
