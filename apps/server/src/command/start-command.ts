import { openLog } from '../log/log.js'
import type { Settings } from '../settings/settings.js'
import { startHeyline } from '../start/heyline.js'

/** `heyline start`: serves until SIGINT or SIGTERM; a second signal ends it at once. */
export async function start(settings: Settings, { dev = false }: { dev?: boolean }) {
  const logger = openLog()
  const heyline = await startHeyline({ settings, logger, dev })
  console.log(heyline.banner)
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    logger.info({ signal }, 'stopping')
    try {
      await heyline.close()
    } catch (error) {
      logger.error({ err: error }, 'the stop was not clean')
      process.exitCode = 1
    }
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(signal))
}
