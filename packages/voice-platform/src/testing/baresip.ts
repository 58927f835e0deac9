import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A port of UDP that is free now, on this machine. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

/** A real desk phone: Debian's baresip, which picks up at once, plays a WAV file and records what it hears. */
export class Baresip {
  readonly port: number
  readonly #keys: number
  readonly #directory = mkdtempSync(join(tmpdir(), 'heyline-baresip-'))
  readonly #process: ChildProcess
  /** Everything it has printed so far. */
  said = ''

  /** `voice` is a WAV file; `user` is who is called. */
  static async start(voice: Uint8Array, user = 'desk'): Promise<Baresip> {
    return new Baresip(voice, user, await freeUdpPort(), await freeUdpPort())
  }

  private constructor(voice: Uint8Array, user: string, port: number, keys: number) {
    this.port = port
    this.#keys = keys
    const file = (name: string, content: string | Uint8Array) =>
      writeFileSync(join(this.#directory, name), content)
    file('voice.wav', voice)
    file('contacts', '')
    file(
      'accounts',
      `<sip:${user}@127.0.0.1:${port}>;regint=0;answermode=auto;audio_codecs=PCMU/8000/1;dtmfmode=rtpevent\n`,
    )
    file('config', this.#config())
    this.#process = spawn('baresip', ['-v', '-f', this.#directory], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const output of [this.#process.stdout, this.#process.stderr])
      output?.on('data', (piece) => {
        this.said += piece
      })
  }

  /** Calls this address. */
  async dial(address: string): Promise<void> {
    await this.press(`/dial ${address}\n`)
  }

  /** Presses a key of the phone: a digit, or `b` to hang up. */
  async press(key: string): Promise<void> {
    const socket = createSocket('udp4')
    await new Promise((resolve) => socket.send(key, this.#keys, '127.0.0.1', resolve))
    socket.close()
  }

  /** What it heard, as a WAV file; complete once its call is over. */
  heard(): Uint8Array {
    const name = readdirSync(this.#directory).find((file) => /^dump-.*-dec\.wav$/.test(file))
    if (!name) throw new Error('baresip has recorded nothing.')
    return readFileSync(join(this.#directory, name))
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit')
    this.#process.kill()
    await gone
    rmSync(this.#directory, { recursive: true, force: true })
  }

  #config(): string {
    const modules = ['g711', 'aufile', 'aubridge', 'sndfile', 'cons']
    return [
      'poll_method epoll',
      `sip_listen 127.0.0.1:${this.port}`,
      `cons_listen 127.0.0.1:${this.#keys}`,
      'audio_player aubridge,nil',
      'audio_alert aubridge,nil',
      `audio_source aufile,${join(this.#directory, 'voice.wav')}`,
      ...['ausrc_srate 8000', 'auplay_srate 8000', 'ausrc_channels 1', 'auplay_channels 1'],
      'module_path /usr/lib/baresip/modules',
      ...modules.map((name) => `module ${name}.so`),
      'module_tmp account.so',
      'module_app menu.so',
      `snd_path ${this.#directory}`,
      '',
    ].join('\n')
  }
}
