import { newInstanceId } from '../log/instance-id.js'
import { openLog } from '../log/log.js'
import { OutageLines } from '../log/outage-lines.js'
import { startHeyline } from '../start/heyline.js'
import { stopPlan } from '../start/stop-plan.js'
import { StopSignals } from '../start/stop-signals.js'
import type { CommandContext } from './terminal/terminal.js'

/** `heyline start`: serves until SIGTERM, which lets running calls end, or SIGINT, which does not. Another signal ends it at once. */
export async function start({ settings, terminal }: CommandContext, { dev = false }: { dev?: boolean }) {
  const { logLevel, instanceId = newInstanceId() } = settings
  const outages = new OutageLines()
  const logger = openLog({ level: logLevel, instance: instanceId, outages })
  const heyline = await startHeyline({ settings, logger, outages, dev, onTerminal: terminal.out.isTTY })
  const signals = new StopSignals()
  const stop = async (signal: string) => {
    const meaning = signals.meaningOf(signal)
    if (meaning === 'stop-at-once') process.exit(1)
    if (meaning === undefined) return
    logger.info({ signal }, 'stopping')
    const onWaiting = (calls: number) =>
      terminal.log(
        `Stopping, after ${calls === 1 ? 'one call' : `${calls} calls`}. Press Ctrl-C again to stop at once.`,
      )
    try {
      await heyline.drain({ ...stopPlan(signal, settings.drain), onWaiting })
      await heyline.close()
    } catch (error) {
      logger.error({ err: error }, 'the stop was not clean')
      process.exitCode = 1
    }
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(signal))
  // Last: who reads that the server is ready may stop it.
  terminal.log(heyline.banner)
}
