import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = /^heyline-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/
const DRAFT = /^heyline-\d{8}T\d{6}Z\.backup\.[0-9a-f]{8}\.partial$/
/** After that nobody writes a draft any more, in ms. */
const DRAFT_MS = 24 * 3_600_000

export interface ScheduledBackup {
  file: string
  /** When it was begun, in ms. */
  at: number
}

/** `BACKUP_DIR`. Only files with the names of scheduled backups are its own; all others are left alone. */
export class BackupFolder {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Makes it where there is none (0700), and gives the path of a backup that begins now. */
  async fileAt(now: number): Promise<string> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 })
    const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
    return join(this.#path, `heyline-${time}.backup`)
  }

  /** The newest first; none where there is no such folder. */
  async backups(): Promise<ScheduledBackup[]> {
    const found = (await this.#names()).flatMap((name): ScheduledBackup[] => {
      const [, year, month, day, hour, minute, second] = (NAME.exec(name) ?? []).map(Number)
      if (year === undefined || month === undefined) return []
      return [{ file: join(this.#path, name), at: Date.UTC(year, month - 1, day, hour, minute, second) }]
    })
    return found.sort((a, b) => b.at - a.at)
  }

  /** Removes all but the newest `keep`, and drafts that a killed process has left. Resolves with the backups that are gone. */
  async removeOld(keep: number, now: number): Promise<string[]> {
    const old = (await this.backups()).slice(keep).map(({ file }) => file)
    for (const file of old) await rm(file, { force: true })
    for (const name of (await this.#names()).filter((each) => DRAFT.test(each))) {
      const file = join(this.#path, name)
      const written = await stat(file).catch(() => undefined)
      if (written && now - written.mtimeMs > DRAFT_MS) await rm(file, { force: true })
    }
    return old
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#path)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  }
}
