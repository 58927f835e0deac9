import { createHash } from 'node:crypto'
import type { Page } from '../ends/page-end.js'

export type Scheme = 'light' | 'dark'

/** The page of a visitor who is not stored yet, to be looked at: nothing in it runs. */
export interface DraftPage {
  /** The document for a name, in this scheme whatever the device has. */
  render(name: string, scheme: Scheme): Promise<string>
  /** Hashes (`'sha256-…'`) of its inline styles. */
  styleHashes: readonly string[]
}

/** What a page does only with scripts, or says of their absence. */
const SCRIPTS =
  /<script\b[^>]*>.*?<\/script>|<noscript>.*?<\/noscript>|<link [^>]*rel="modulepreload"[^>]*>/gs
const DARK = /\(prefers-color-scheme: ?dark\)/g
const REDUCED_MOTION = /\(prefers-reduced-motion: ?reduce\)/g
const WITHOUT_SCRIPTS = /\(scripting: ?none\)/g
const STYLES = /(?<=<style\b[^>]*>)[^<]*(?=<\/style>)/g

/**
 * What a style sheet asks of the device, answered beforehand: this scheme, all of the page at once, and what those with scripts see.
 */
const answered = (style: string, scheme: Scheme) =>
  style
    .replace(DARK, scheme === 'dark' ? 'all' : 'not all')
    .replace(REDUCED_MOTION, 'all')
    .replace(WITHOUT_SCRIPTS, 'not all')
    .replace(/color-scheme: ?light dark/g, `color-scheme:${scheme}`)

/** Renders pages of visitors who are not stored. */
export async function openDraftPage({
  render,
  stateOf,
}: Pick<Page, 'render' | 'stateOf'>): Promise<DraftPage> {
  const drawn = async (name: string, scheme: Scheme) => {
    const html = await render(stateOf({ slug: 'draft', name, system: null, first_message: null }), '/')
    return html.replace(SCRIPTS, '').replace(STYLES, (style) => answered(style, scheme))
  }
  const examples = [await drawn('', 'light'), await drawn('', 'dark')]
  const styles = examples.flatMap((html) => html.match(STYLES) ?? [])
  return {
    render: drawn,
    styleHashes: styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`),
  }
}
