import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Operation, operations } from './src/index.js'

/** `npm run readme` writes the README's table of operations from the exported `operations`; a test compares them. */

export const readmeFile = new URL('README.md', import.meta.url)
const BEGIN = '<!-- operations: written by `npm run readme` -->'
const END = '<!-- end of operations -->'

/** The README with the table that belongs between its two marks. */
export function withOperations(readme: string, rows: readonly Operation[]): string {
  const [before, after] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`The README lacks the marks ${BEGIN} and ${END}`)
  return `${readme.slice(0, before)}${BEGIN}\n\n${operationTable(rows)}\n\n${readme.slice(after)}`
}

/** A table of all operations: how each is called, what it sends, and what is special. */
export function operationTable(rows: readonly Operation[]): string {
  const cells = rows.map((row) => [
    code(call(row, row.name)),
    code(`${row.method} ${row.path}`),
    special(row).join('; '),
  ])
  const all = [['method', 'operation', 'special'], ...cells]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((line) => line[column]?.length ?? 0)))
  const lines = all.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  return lines.toSpliced(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`).join('\n')
}

/** A method with its arguments but for the options, which are the last of every one. */
function call({ resource, path, body, query }: Operation, name: string): string {
  const ids = Array.from(path.matchAll(/\{(\w+)\}/g), ([, id = '']) => id)
  const input = body !== 'none' ? ['body'] : query.length > 0 ? ['query'] : []
  return `${resource}.${name}(${[...ids, ...input].join(', ')})`
}

function special(row: Operation): string[] {
  const { pages, stream, body, answer, auth, deprecated } = row
  return [
    ...(deprecated ? ['**deprecated**'] : []),
    ...(pages ? [`a page; item by item: ${code(call(row, pages))}`] : []),
    ...(stream ? [`streamed: ${code(call(row, stream))}`] : []),
    ...(body === 'multipart' ? ['multipart form'] : []),
    ...(answer === 'text' ? ['answers text'] : []),
    ...(answer === 'none' ? ['answers nothing'] : []),
    ...(auth === 'none' ? ['no auth: the token is not sent'] : []),
  ]
}

const code = (text: string) => `\`${text}\``

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(readmeFile, withOperations(readFileSync(readmeFile, 'utf8'), operations))
}
