import { type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'

const { serialize } = protocol
const whole = (...messages: Uint8Array[]): Uint8Array => Buffer.concat(messages)

/** The statements that a PGlite keeps prepared. PGlite itself has no call for it, so this speaks the wire's own messages. */
export class PreparedStatements {
  readonly #pglite: PGlite
  readonly #names = new Set<string>()

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  /** Runs `text`, prepared as `name` at its first run. Rows are arrays of what Postgres printed. */
  async run(name: string, text: string, values: (string | null)[]): Promise<Results<(string | null)[]>> {
    if (!this.#names.has(name)) {
      await this.#pglite.execProtocol(whole(serialize.parse({ name, text }), serialize.sync()))
      this.#names.add(name)
    }
    const { messages } = await this.#pglite.execProtocol(
      whole(
        serialize.bind({ statement: name, values }),
        serialize.describe({ type: 'P' }),
        serialize.execute({}),
        serialize.sync(),
      ),
    )
    const [result] = parse.parseResults(messages, this.#pglite.parsers, { rowMode: 'array' })
    return result as Results<(string | null)[]>
  }
}
