import { SCRIPTS_OFF } from '../document/texts.js'

/**
 * Stands where something needs scripts, for a browser that runs none. Only the server has the words: in a browser React
 * leaves the content of a `<noscript>` as it is, and that a browser with scripts never shows it.
 */
export function ScriptsOff() {
  return <noscript>{import.meta.env.SSR && SCRIPTS_OFF}</noscript>
}
