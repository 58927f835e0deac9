import type { spawnHeyline } from './heyline-command.js'

/** The address at which a server's process says that it is ready. Rejects with all that it said when it ends before. */
export function listeningUrl(child: ReturnType<typeof spawnHeyline>): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (text: string) => {
      said += text
      const found = /ready at (https?:\/\/[\w.]+:\d+)/.exec(said)?.[1]
      if (found) resolve(found)
    }
    child.stdout.setEncoding('utf8').on('data', hear)
    child.stderr.setEncoding('utf8').on('data', hear)
    child.once('exit', () => reject(new Error(said)))
  })
}
