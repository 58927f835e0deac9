import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createTestDirectory } from '@heyline/database/testing'
import type { TestProject } from 'vitest/node'

/**
 * Builds what is stale: commands, threads and packed packages are tested as a user gets them, everything else from its sources.
 * Also makes the databases that the tests' own are copied from.
 */
export default async function setup(project: TestProject): Promise<void> {
  build()
  project.onTestsRerun(build)
  for (const content of ['empty', 'migrated'] as const)
    rmSync(await createTestDirectory(content), { recursive: true })
}

function build(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
}
