import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { writeSite } from './site-folder.js'

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, renameSync: vi.fn(fs.renameSync) }
})

it('puts the earlier site back when the new one can’t take its place', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'heyline-site-'))
  try {
    const [assets, folder] = [path.join(root, 'client'), path.join(root, 'site')]
    mkdirSync(assets)
    writeFileSync(path.join(assets, 'client.js'), '')
    writeSite(folder, { document: '<script id="page-data">earlier', assets })
    const rename = vi.mocked(renameSync)
    const really = rename.getMockImplementation()
    rename.mockImplementation((from, to) => {
      if (String(from).includes('.new-')) throw new Error('the disk is away')
      really?.(from, to)
    })
    expect(() => writeSite(folder, { document: 'later', assets })).toThrow('the disk is away')
    expect(readFileSync(path.join(folder, 'index.html'), 'utf8')).toContain('earlier')
    expect(readdirSync(root).sort()).toEqual(['client', 'site'])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
