import { newInstanceId } from '../log/instance-id.js'
import { openLog } from '../log/log.js'
import { OutageLines } from '../log/outage-lines.js'
import { startHeyline } from '../start/heyline.js'
import { stopPlan } from '../start/stop-plan.js'
import { StopSignals } from '../start/stop-signals.js'
import type { CommandContext } from './terminal/terminal.js'

/**
 * `heyline start`: serves until SIGTERM, which lets running calls end, or SIGINT, which does not. Another signal ends it at once. While its
 * parts open, which may place a call already, a signal is heard and the server closes once they are open; before that it ends the process.
 */
export async function start({ settings, terminal }: CommandContext, { dev = false }: { dev?: boolean }) {
  const { logLevel, instanceId = newInstanceId() } = settings
  const outages = new OutageLines()
  const logger = openLog({ level: logLevel, instance: instanceId, outages })
  const signals = new StopSignals()
  let isStopping = false
  const stop = async (signal: string) => {
    const meaning = signals.meaningOf(signal)
    if (meaning === 'stop-at-once') process.exit(1)
    if (meaning === undefined) return
    isStopping = true
    logger.info({ signal }, 'stopping')
    const onWaiting = (calls: number) =>
      terminal.log(
        `Stopping, after ${calls === 1 ? 'one call' : `${calls} calls`}. Press Ctrl-C again to stop at once.`,
      )
    // Where the start fails, that ends the process.
    const heyline = await starting.catch(() => undefined)
    if (!heyline) return
    try {
      await heyline.drain({ ...stopPlan(signal, settings.drain), onWaiting })
      await heyline.close()
    } catch (error) {
      logger.error({ err: error }, 'the stop was not clean')
      process.exitCode = 1
    }
    process.exit()
  }
  const onParts = () => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(signal))
  }
  const starting = startHeyline({ settings, logger, outages, dev, onTerminal: terminal.out.isTTY, onParts })
  const { banner } = await starting
  // Last: who reads that the server is ready may stop it.
  if (!isStopping) terminal.log(banner)
}
