import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const SOURCE = new URL('src/theme/first-theme.js', import.meta.url)
const PLACE = '<!-- first theme -->'

/** Puts the script of the chosen theme into the head, as a hashed file that the browser waits for before it draws. */
export const firstTheme = (): Plugin => {
  return {
    name: 'first-theme',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', name: 'theme.js', source: readFileSync(SOURCE, 'utf8') })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const file = Object.values(bundle ?? {}).find(({ fileName }) => /^theme-[\w-]+\.js$/.test(fileName))
        if (!file || !html.includes(PLACE))
          throw new Error('The document has no place for the theme, or the theme no file')
        return html.replace(PLACE, `<script src="/-/assets/${file.fileName}"></script>`)
      },
    },
  }
}
