#!/usr/bin/env node
// The command as a package has it. It says what does not fit here before it loads anything.
import { readFileSync } from 'node:fs'

const { version, engines, os, cpu } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)))
const [major, minor] = process.versions.node.split('.').map(Number)
const [leastMajor, leastMinor] = engines.node.replace('>=', '').split('.').map(Number)

if (major < leastMajor || (major === leastMajor && minor < leastMinor))
  refuse(`Heyline ${version} needs Node ${engines.node}; this is ${process.version}. Install a newer Node.`)
else if (!os.includes(process.platform) || !cpu.includes(process.arch))
  refuse(
    `This package of Heyline ${version} is made for ${os}-${cpu}; this machine is ${process.platform}-${process.arch}. Make one here: npm ci && npm run package`,
  )
else await import('../apps/server/dist/main.js')

function refuse(words) {
  console.error(words)
  process.exitCode = 1
}
