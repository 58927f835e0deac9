import { createRequire } from 'node:module'
import { type FontFace, readFontFile } from './font-file.js'

/** A font that comes with the page. */
export interface Font extends FontFace {
  path: string
  family: string
}

/** Fonts that come with the page, so that a picture needs none of its machine: for the heading, and for what is small. */
const HEADING_FILES = {
  // Latin, Greek, Cyrillic.
  Inter: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  'Noto Sans Arabic': '@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf',
  'Noto Sans Hebrew': '@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf',
}
/** What is drawn small has no names in it: one font is enough. */
const TEXT_FILE = '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'

export interface BundledFonts {
  heading: Font[]
  text: Font
}

/** Rejects when a file is missing or broken. */
export async function readBundledFonts(): Promise<BundledFonts> {
  const { resolve } = createRequire(import.meta.url)
  const read = async (family: string, file: string): Promise<Font> => {
    const path = resolve(file)
    const face = await readFontFile(path)
    if (!face) throw new Error(`${path} has no outlines; install the page's dependencies again`)
    return { ...face, path, family }
  }
  return {
    heading: await Promise.all(Object.entries(HEADING_FILES).map(([family, file]) => read(family, file))),
    text: await read('Inter', TEXT_FILE),
  }
}
