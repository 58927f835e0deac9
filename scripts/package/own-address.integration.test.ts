import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownAddress } from './own-address.mjs'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'heyline-own-address-'))
  writeFileSync(join(root, 'main.js'), "export * from './one.js'\nexport * from './other.js'\n")
  writeFileSync(
    join(root, 'one.js'),
    "export const one = new URL('../table.sql', import.meta.url).href\nexport const said = 'import.meta.url'\n",
  )
  writeFileSync(join(root, 'other.js'), 'export const other = import.meta.url\n')
})
afterAll(() => rmSync(root, { recursive: true }))

/** What the modules say of themselves once they are bundled into `made/main.js`. */
async function bundled() {
  const place = (path: string) => `node_modules/package/dist/${path}`
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['main.js'],
    plugins: [ownAddress({ root, folder: 'made', place })],
    bundle: true,
    format: 'esm',
    write: false,
    outdir: 'made',
  })
  const file = join(root, 'bundle.mjs')
  writeFileSync(file, outputFiles[0]?.text ?? '')
  return { url: new URL(`file://${file}`), module: await import(file) }
}

it('gives each module of a bundle the address that it would have in the package by itself', async () => {
  const { url, module } = await bundled()
  expect(module.other).toBe(new URL('../node_modules/package/dist/other.js', url).href)
  expect(module.one).toBe(new URL('../node_modules/package/table.sql', url).href)
})

it('leaves alone what only names it', async () => {
  const { module } = await bundled()
  expect(module.said).toBe('import.meta.url')
})
