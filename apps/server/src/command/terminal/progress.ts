/** How a long command tells how far it is, on standard error. */
export interface Progress {
  /** `done` of `total` of what `label` says. */
  step(label: string, done: number, total: number): void
  /** A stage is done: says so, in place of the bar. */
  say(line: string): void
}

const WIDTH = 30

/** A bar on a terminal, plain lines elsewhere (steps at each quarter of the way), nothing at all with `--json`. */
export function openProgress(json: boolean | undefined, out: NodeJS.WriteStream = process.stderr): Progress {
  if (json) return { step: () => {}, say: () => {} }
  if (!out.isTTY) return plainLines(out)
  let shown = ''
  return {
    step(label, done, total) {
      const part = total > 0 ? Math.min(done / total, 1) : 1
      const bar = '#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '.')
      const text = `[${bar}] ${String(Math.floor(part * 100)).padStart(3)} % ${label}`
      if (text !== shown) out.write(`\r\u001B[K${text}`)
      shown = text
    },
    say(line) {
      out.write(`\r\u001B[K${line}\n`)
      shown = ''
    },
  }
}

function plainLines(out: NodeJS.WriteStream): Progress {
  const say = (line: string) => void out.write(`heyline: ${line}\n`)
  const quarters = new Map<string, number>()
  return {
    say,
    step(label, done, total) {
      const quarter = total > 0 ? Math.floor((4 * done) / total) : 0
      // The end is said as the stage's own line.
      if (quarter <= (quarters.get(label) ?? 0) || quarter >= 4) return
      quarters.set(label, quarter)
      say(`${quarter * 25} % ${label}`)
    },
  }
}
