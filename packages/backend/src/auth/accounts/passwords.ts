import { randomBytes } from 'node:crypto'
import { WaitingLine, WaitingLines } from '@heyline/kit/waiting-line'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { refuseCrowd } from '../guards/turns.js'
import { AuthError } from '../wire/auth-error.js'

/** Shortest password, in characters. */
const SHORTEST = 10

/** `Algorithm.Argon2id`: the package declares a const enum, which no build of single files can read. */
const ARGON2ID: Algorithm.Argon2id = 2
/** What OWASP asks for: 19 MiB, two rounds, one thread. https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each takes a core and 19 MiB: the calls need the others. */
const AT_ONCE = 2
const WAITING = 16
const LONGEST_WAIT_MS = 5_000
/** Accounts that choose a new password: one account at a time, and of each one. */
const CHANGES_WAITING = { ofAccount: 2, accounts: 16 }

/** Hashes passwords and checks them (Argon2id), a few at once. Work of this kind never runs inside a transaction. */
export class Passwords {
  readonly #line = new WaitingLine({ atOnce: AT_ONCE, waiting: WAITING, longestMs: LONGEST_WAIT_MS })
  /** Whoever is signed in and chooses a new password keeps nobody from signing in. */
  readonly #changes = new WaitingLine({
    atOnce: 1,
    waiting: CHANGES_WAITING.accounts,
    longestMs: LONGEST_WAIT_MS,
  })
  readonly #ownChanges = new WaitingLines({
    atOnce: 1,
    waiting: CHANGES_WAITING.ofAccount,
    longestMs: LONGEST_WAIT_MS,
  })
  #dummy: Promise<string> | undefined

  /** Rejects with an `AuthError`: 422 `weak_password`, 429 where too many wait. */
  async hash(password: string): Promise<string> {
    demandStrong(password)
    return await this.#line.run(() => hash(password, COST)).catch(refuseCrowd)
  }

  /**
   * The hash of an account's new password; undefined where it has this one already. An account makes one at a time, in a line that no sign-in
   * waits in. Rejects as `hash` does.
   */
  async changed(userId: string, password: string, known: string | null): Promise<string | undefined> {
    demandStrong(password)
    const work = async () =>
      known !== null && (await verify(known, password)) ? undefined : await hash(password, COST)
    return await this.#ownChanges.run(userId, () => this.#changes.run(work)).catch(refuseCrowd)
  }

  /** Takes as long without a hash: nobody shall see whether there is an account. Rejects with 429 where too many wait. */
  async matches(password: string, known: string | null | undefined): Promise<boolean> {
    // For an account, too, so that the first sign-in takes as long for all.
    const dummy = await this.#madeDummy()
    const isRight = await this.#line.run(() => verify(known ?? dummy, password)).catch(refuseCrowd)
    return isRight && known !== null && known !== undefined
  }

  /** The hash of no password. Where it could not be made, the next one tries again. */
  #madeDummy(): Promise<string> {
    this.#dummy ??= hash(randomBytes(32), COST).catch((error: unknown) => {
      this.#dummy = undefined
      throw error
    })
    return this.#dummy
  }
}

/** Rejects with 422 `weak_password`. */
export function demandStrong(password: string): void {
  if ([...password].length >= SHORTEST) return
  throw new AuthError(422, 'weak_password', `Password should be at least ${SHORTEST} characters.`, {
    details: { weak_password: { reasons: ['length'] } },
  })
}
