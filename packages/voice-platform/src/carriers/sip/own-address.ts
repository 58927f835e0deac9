import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { CarrierRefusal } from '../carrier.js'
import type { SipAgent } from './sip-agent.js'

/** After so many milliseconds an address that could not be opened is tried again. */
const AGAIN_MS = 1_000
/** How often the log says that it still cannot be opened, in milliseconds. */
const TELL_AGAIN_MS = 600_000
/** A phone that did not hear our last answer asks once more within half a second. So long is the address kept after a call, in milliseconds. */
const LINGER_MS = 1_000
/** How long a call that is hung up may take to say so, in milliseconds. */
export const GOODBYE_MS = 2_000

export interface OwnAddressOptions {
  agent: SipAgent
  /** Something of this process is under way there: a call, or a text. */
  isUsed(): boolean
  clock: Clock
  logger: Logger
}

/**
 * Our address for SIP, that of `SIP_BIND`. It is opened at the start, and tried again while it cannot be. Once this process is about to stop, it
 * is given back as soon as nothing uses it, for the process that follows on this machine.
 */
export class OwnAddress {
  readonly #options: OwnAddressOptions
  #stopTimer = () => {}
  /** When the log said last that it cannot be opened, on the monotonic clock. */
  #toldAt: number | undefined
  #isLeaving = false
  #isOver = false
  #isFreeing = false

  constructor(options: OwnAddressOptions) {
    this.#options = options
  }

  /** Calls `onOpen` once it is open. Never rejects. */
  async open(onOpen: () => void): Promise<void> {
    const { agent, clock, logger } = this.#options
    try {
      await agent.open()
    } catch (error) {
      this.#tell(error)
      if (!this.#isLeaving && !this.#isOver)
        this.#stopTimer = clock.after(AGAIN_MS, () => void this.open(onOpen))
      return
    }
    if (this.#toldAt !== undefined)
      logger.info('The address in SIP_BIND is free: this process places and takes calls.')
    if (this.#isLeaving) this.free()
    else if (!this.#isOver) onOpen()
  }

  /** From now on it is not opened any more, and is given back. Idempotent. */
  leave(): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#stopTimer()
    this.free()
  }

  /** To be told when something that used it is over. */
  free(): void {
    const { agent, isUsed, clock } = this.#options
    if (!this.#isLeaving || this.#isOver || this.#isFreeing || !agent.isOpen || isUsed()) return
    this.#isFreeing = true
    this.#stopTimer = clock.after(LINGER_MS, () => void this.#giveBack())
  }

  /** Tries and waits no more. Idempotent. */
  end(): void {
    this.#isOver = true
    this.#stopTimer()
  }

  async #giveBack(): Promise<void> {
    const { agent, isUsed, logger } = this.#options
    if (!isUsed()) await agent.quiet(GOODBYE_MS)
    this.#isFreeing = false
    if (this.#isOver || isUsed()) return
    agent.rest()
    logger.info('no call by SIP is left: the address in SIP_BIND is given back')
  }

  #tell(error: unknown): void {
    const { clock, logger } = this.#options
    if (this.#toldAt !== undefined && clock.monotonic() < this.#toldAt + TELL_AGAIN_MS) return
    this.#toldAt = clock.monotonic()
    const { message } = refusalOf(error)
    const text = `${message} This process places and takes no calls. It is tried again.`
    if (isTaken(error)) logger.warn({ err: error }, text)
    else logger.error({ err: error }, text)
  }
}

/** Opens our address. Rejects with a `CarrierRefusal` where it is taken, which may pass, or cannot be opened. */
export async function openOwnAddress(agent: SipAgent): Promise<void> {
  await agent.open().catch((error: unknown) => {
    throw refusalOf(error)
  })
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

function refusalOf(cause: unknown): CarrierRefusal {
  if (isTaken(cause))
    return new CarrierRefusal(
      'sip-socket',
      'The address in SIP_BIND is taken: another process of this machine has it.',
      { cause, mayPass: true },
    )
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
  const why =
    code === 'EADDRNOTAVAIL'
      ? 'is not of this machine: take one that it has, or 0.0.0.0'
      : code === 'EACCES'
        ? 'may not be opened by this user: take a port of 1024 or above'
        : `cannot be opened (${code})`
  return new CarrierRefusal('sip-socket', `The address in SIP_BIND ${why}.`, { cause, isOfLines: true })
}
