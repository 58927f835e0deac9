import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENCE = /^(licen[cs]e|copying|notice|unlicense)/i
const README = /^readme/i

/**
 * The files of a package's folder that say its licence; paths from the root. Where a dependency publishes none, its README, which names the
 * licence and the authors. @param {string} root @param {string} folder @returns {string[]}
 */
export function licencesOf(root, folder) {
  const files = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
  const said = files.filter((name) => LICENCE.test(name))
  if (said.length > 0 || !folder.includes('node_modules/')) return said.map((name) => `${folder}/${name}`)
  return files.filter((name) => README.test(name)).map((name) => `${folder}/${name}`)
}

/**
 * The folders of all dependencies that are installed and are not for development alone, as the lockfile has them. Whatever the front ends'
 * bundles hold is among them. @param {string} root @returns {string[]}
 */
export function dependencyFolders(root) {
  /** @type {{ packages: Record<string, { dev?: boolean, devOptional?: boolean, link?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(
      ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
    )
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)))
}

/** Where the texts of these licences are, as a table in Markdown. @param {string} root */
export function licenceTable(root) {
  const rows = dependencyFolders(root).map((folder) => {
    const { name, version, license } = manifestOf(root, folder)
    const texts = licencesOf(root, folder).map((path) => path.slice(folder.length + 1))
    return `| ${name} | ${version} | ${license ?? 'see its text'} | ${texts.join(', ')} |`
  })
  return `# Licences of the dependencies

What Heyline is made of, besides its own code (MIT, \`LICENSE\`). \`THIRD_PARTY_NOTICES.md\` says more of those that ask for more.

The texts are beside the code, in \`node_modules\`. Of what is bundled, into the server or into the scripts of the pages, the text is here. Some packages publish no text:
their README names the licence, and the text of MIT is below.

| package | version | licence | text |
| --- | --- | --- | --- |
${[...new Set(rows)].sort().join('\n')}

## The text of MIT

${MIT}`
}

/** @param {string} root @param {string} folder @returns {{ name: string, version: string, license?: string }} */
const manifestOf = (root, folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`
