import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeUdpPort } from './baresip.js'

/** One step of a server that SIPp plays. */
export type SippStep =
  | { receive: string; proven?: { user: string; password: string } }
  | { expect: number }
  | { answer: string; headers?: string[]; audio?: 'sendrecv' | 'sendonly' }
  | { ask: 'BYE' | 'INVITE' | 'ACK'; audio?: 'sendrecv' | 'sendonly' }

/** A real server: SIPp, which follows these steps with one call and fails with any other message. */
export class Sipp {
  readonly port: number
  readonly #directory = mkdtempSync(join(tmpdir(), 'heyline-sipp-'))
  readonly #process: ChildProcess
  readonly #exit: Promise<unknown[]>
  #said = ''

  static async start(steps: readonly SippStep[]): Promise<Sipp> {
    return new Sipp(steps, await freeUdpPort())
  }

  private constructor(steps: readonly SippStep[], port: number) {
    this.port = port
    const file = join(this.#directory, 'scenario.xml')
    writeFileSync(file, scenarioOf(steps))
    const flags = ['-nostdin', '-m', '1', '-timeout', '30', '-timeout_error', '-trace_err']
    this.#process = spawn('sipp', ['-sf', file, '-i', '127.0.0.1', '-p', String(port), ...flags], {
      cwd: this.#directory,
      env: { ...process.env, TERM: 'dumb' },
    })
    this.#process.stderr?.on('data', (piece) => {
      this.#said += piece
    })
    this.#process.stdout?.resume()
    this.#exit = once(this.#process, 'exit')
  }

  /** Resolves with how it ended: 0 when each step went as it says; otherwise with its complaints. */
  async ended(): Promise<unknown> {
    const [code] = await this.#exit
    return code === 0 ? 0 : `${code}: ${this.#said.slice(-2_000)}`
  }

  async stop(): Promise<void> {
    this.#process.kill()
    await this.#exit
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

const scenarioOf = (steps: readonly SippStep[]): string =>
  `<?xml version="1.0" encoding="ISO-8859-1"?>\n<scenario name="a server">\n${steps.map(stepOf).join('\n')}\n<Reference variables="caller"/>\n</scenario>\n`

function stepOf(step: SippStep): string {
  if ('expect' in step) return `<recv response="${step.expect}"/>`
  if ('receive' in step) {
    const caller = '<ereg regexp=".*" search_in="hdr" header="From:" assign_to="caller"/>'
    const { user, password } = step.proven ?? {}
    const proof = `<verifyauth assign_to="isProven" username="${user}" password="${password}"/>`
    const actions = `${['INVITE', 'REGISTER'].includes(step.receive) ? caller : ''}${step.proven ? proof : ''}`
    const receive = `<recv request="${step.receive}">${actions && `<action>${actions}</action>`}</recv>`
    if (!step.proven) return receive
    return [
      receive,
      '<nop next="proven" test="isProven"/>',
      message(['SIP/2.0 403 Forbidden', WAY_BACK], undefined),
      // Ends the scenario as a failure.
      '<recv request="PROOF"/>',
      '<label id="proven"/>',
    ].join('\n')
  }
  if ('answer' in step) {
    const lines = [`SIP/2.0 ${step.answer}`, WAY_BACK, CONTACT, ...(step.headers ?? [])]
    return message(lines, step.audio)
  }
  const lines = [
    `${step.ask} sip:heyline@[remote_ip]:[remote_port] SIP/2.0`,
    'Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]',
    'From: <sip:desk@[local_ip]:[local_port]>;tag=[call_number]',
    'To: [$caller]',
    '[last_Call-ID:]',
    `CSeq: ${step.ask === 'BYE' ? 3 : 2} ${step.ask}`,
    'Max-Forwards: 70',
    CONTACT,
  ]
  return message(lines, step.audio)
}

const WAY_BACK = '[last_Via:]\n[last_From:]\n[last_To:];tag=[call_number]\n[last_Call-ID:]\n[last_CSeq:]'
const CONTACT = 'Contact: <sip:desk@[local_ip]:[local_port]>'

function message(lines: readonly string[], audio: string | undefined): string {
  const body =
    audio === undefined
      ? ['Content-Length: 0', '']
      : [
          'Content-Type: application/sdp',
          'Content-Length: [len]',
          '',
          'v=0',
          'o=- 1 1 IN IP4 [local_ip]',
          's=-',
          'c=IN IP4 [local_ip]',
          't=0 0',
          'm=audio [media_port] RTP/AVP 0',
          `a=${audio}`,
        ]
  return `<send><![CDATA[\n${[...lines, ...body].join('\n')}\n\n]]></send>`
}
