import { availableParallelism, loadavg } from 'node:os'
import { chosenParts, type Part, UnknownPartError } from './parts.js'
import { missed } from './report/limit.js'
import { printTable } from './report/table.js'
import { Stage } from './stage.js'

// `npm run bench`: every figure in one run, on one machine; `npm run bench -- load form` only those parts.
try {
  await run(chosenParts(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof UnknownPartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function run(parts: readonly Part[]) {
  const load = (loadavg()[0] ?? 0).toFixed(1)
  const began = performance.now()
  const stage = new Stage()
  try {
    console.log(`Node ${process.version}, ${availableParallelism()} cores with load ${load}\n`)
    for (const { title, measure } of parts) printTable(title, await measure(stage))
  } finally {
    await stage.close()
  }
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} s; limits missed: ${missed.length}`)
  for (const one of missed) console.log(`  ${one}`)
}
