import { KNOWLEDGE_TEXTS as TEXTS } from './texts.js'

/** What the server takes, as it says. */
export interface Takes {
  endings: readonly string[]
  mostBytes: number
}

/** Why a file need not be sent; undefined for one that the server has to look at. */
export function refusalOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  { endings, mostBytes }: Takes,
): string | undefined {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  if (ending === undefined || !endings.includes(ending)) return TEXTS.otherKind(name, endings)
  if (size > mostBytes) return TEXTS.tooLarge(name, mostBytes)
  return size === 0 ? TEXTS.empty(name) : undefined
}

/** What a file holds, in base64. Rejects where the browser can't read it, as when it was moved since it was chosen. */
export const base64Of = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    // `data:TYPE;base64,…`
    reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '')
    reader.readAsDataURL(file)
  })
