import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PackedPackage } from './packed-package.js'

const sources = fileURLToPath(new URL('user-project/', import.meta.url))
const { resolve } = createRequire(import.meta.url)
const compiler = join(dirname(resolve('@typescript/native/package.json')), 'bin/tsc')
const nodeTypes = dirname(resolve('@types/node/package.json'))

/** A project of somebody who has installed the packed package and Node's types, and nothing else. */
export class UserProject implements AsyncDisposable {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async create({ files, read }: PackedPackage): Promise<UserProject> {
    const folder = await mkdtemp(join(tmpdir(), 'heyline-user-project-'))
    const installed = join(folder, 'node_modules', JSON.parse(read('package.json')).name)
    for (const file of files) {
      await mkdir(join(installed, dirname(file)), { recursive: true })
      await writeFile(join(installed, file), read(file))
    }
    await mkdir(join(folder, 'node_modules/@types'))
    await symlink(nodeTypes, join(folder, 'node_modules/@types/node'), 'junction')
    await cp(sources, folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    for (const [index, example] of examplesIn(read('README.md')).entries()) {
      await writeFile(join(folder, `readme-${index + 1}.ts`), `${example}\ndeclare const token: string\n`)
    }
    return new UserProject(folder)
  }

  /** What the compiler says of the project with these options; nothing when it is content. */
  async compile(options: object): Promise<string> {
    const config = join(this.#folder, 'tsconfig.json')
    const compilerOptions = {
      target: 'ES2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      ...options,
    }
    await writeFile(config, JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    return new Promise((done, fail) => {
      const words = [compiler, '-p', config, '--pretty', 'false']
      execFile(process.execPath, words, { cwd: this.#folder }, (error, said) => {
        // With a complaint the compiler ends with 1 or 2; anything else means that it could not run.
        if (error && said === '') fail(error)
        else done(said)
      })
    })
  }

  async [Symbol.asyncDispose]() {
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** The README's examples; each reads a `token` that is the reader's own. */
const examplesIn = (readme: string) =>
  Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code)
