/** The kinds of files that are read, with the type that each is served as. */
export const FILE_TYPES = {
  txt: 'text/plain',
  md: 'text/markdown',
  html: 'text/html',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  csv: 'text/csv',
} as const

export type FileKind = keyof typeof FILE_TYPES

const ENDINGS: Readonly<Record<string, FileKind>> = {
  txt: 'txt',
  text: 'txt',
  md: 'md',
  markdown: 'md',
  html: 'html',
  htm: 'html',
  pdf: 'pdf',
  docx: 'docx',
  csv: 'csv',
}

/** The ends of names that are read, without the dot. */
export const FILE_ENDINGS: readonly string[] = Object.keys(ENDINGS)

const KINDS = new Map(Object.entries(FILE_TYPES).map(([kind, type]) => [type, kind as FileKind] as const))

/** What a file is, by the end of its name, else by the type that came with it. Undefined for one that is not read. */
export function fileKind(name: string, mimetype = ''): FileKind | undefined {
  const ending = /\.([a-z]{2,8})$/i.exec(name)?.[1]?.toLowerCase()
  if (ending !== undefined) return ENDINGS[ending]
  const [type = ''] = mimetype.toLowerCase().split(';')
  return [...KINDS].find(([known]) => known === type.trim())?.[1]
}

const PDF = '%PDF-'
const ZIP = 'PK\u0003\u0004'

/** Whether a file begins as files of its kind do. A text has no NUL. */
export function looksLike(kind: FileKind, content: Uint8Array): boolean {
  const head = Buffer.from(content.subarray(0, 1024)).toString('latin1')
  if (kind === 'pdf') return head.includes(PDF)
  if (kind === 'docx') return head.startsWith(ZIP)
  // UTF-16, which has a mark at its beginning, is full of NULs.
  return /^(\u00ff\u00fe|\u00fe\u00ff)/.test(head) || !content.includes(0)
}
