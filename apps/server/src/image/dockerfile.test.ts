import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ignore from '@balena/dockerignore'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { type Stage, stagesOf } from '../../../../scripts/image/stages.mjs'
import { readSettings } from '../settings/settings.js'

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../${name}`, import.meta.url)), 'utf8')
const dockerfile = read('Dockerfile')
const stages = stagesOf(dockerfile)
const last = stages.at(-1) as Stage
const textOf = (keyword: string) =>
  last.steps.filter((step) => step.keyword === keyword).map(({ text }) => text)

describe('the Dockerfile', () => {
  it('has nothing that the linter complains of', () => {
    expect(validate(dockerfile)).toEqual([])
    expect(validate(dockerfile.replace('--interval=10s', '--interval=soon'))).toHaveLength(1)
  })

  it('is built on images of Node 24 that are named with their Debian', () => {
    expect(stages.map(({ image }) => image)).toEqual([
      expect.stringMatching(/^node:24-[a-z]+-slim$/),
      expect.stringMatching(/^gcr\.io\/distroless\/nodejs24-debian\d+:nonroot$/),
    ])
  })

  it('runs as a user without rights, whose number an orchestrator can check', () => {
    expect(textOf('USER')).toEqual(['65532:65532'])
  })

  it('starts no shell: the image has none', () => {
    for (const keyword of ['ENTRYPOINT', 'CMD'])
      expect(textOf(keyword)).toEqual([expect.stringMatching(/^\[".+"\]$/)])
    expect(textOf('HEALTHCHECK')).toEqual([expect.stringMatching(/CMD \["\/nodejs\/bin\/node", /)])
    expect(last.steps.filter(({ keyword }) => keyword === 'RUN')).toEqual([])
  })

  it('has one volume, where its data is, and the port of its settings', () => {
    const [environment] = last.steps.filter(({ keyword }) => keyword === 'ENV')
    const env = Object.fromEntries(environment?.words.map((word) => word.split('=')) ?? [])
    expect(textOf('VOLUME')).toEqual([`["${env.DATA_DIR}"]`])
    expect(textOf('EXPOSE')).toEqual([env.PORT])
    expect(env.HOST).toBe('0.0.0.0')
    expect(Number(env.PORT)).toBe(readSettings({}).port)
  })

  it('is read by the replay as the parser reads it', () => {
    const keywords = DockerfileParser.parse(dockerfile)
      .getInstructions()
      .map((instruction) => instruction.getKeyword())
    expect(stages.flatMap(({ steps }) => ['FROM', ...steps.map(({ keyword }) => keyword)])).toEqual(keywords)
    expect(last.steps.find(({ keyword }) => keyword === 'HEALTHCHECK')).toMatchObject({
      words: ['CMD', '/nodejs/bin/node', '/heyline/bin/healthcheck.js'],
      flags: { interval: '10s' },
    })
  })
})

describe('what is sent to the build of the image', () => {
  const rules = ignore().add(read('.dockerignore'))

  it.each([
    '.env',
    '.env.production',
    'static.env',
    'apps/server/.env',
    'data/keys.json',
    'apps/server/data/keys.json',
    'heyline.backup',
    '.git/config',
    'node_modules/hono/package.json',
    'apps/page/node_modules/vite/package.json',
    'packages/kit/dist/index.js',
    'packages/kit/tsconfig.tsbuildinfo',
    'npm-debug.log',
    'out/heyline-0.1.0.tgz',
    'e2e/page.spec.ts',
  ])('is not %s', (path) => {
    expect(rules.ignores(path)).toBe(true)
  })

  it.each([
    '.env.example',
    '.npmrc',
    'package-lock.json',
    'apps/server/src/main.ts',
    'packages/database/src/index.ts',
    'supabase/seed.sql',
    'deploy/nginx.conf',
    'docs/settings.md',
  ])('is %s', (path) => {
    expect(rules.ignores(path)).toBe(false)
  })
})
