import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operationTable, readmeFile, withOperations } from '../../operation-table.js'
import { type Operation, operations } from '../index.js'

describe('the README', () => {
  it('has the table of the operations as they are; if not, run "npm run readme -w @heyline/platform-client"', () => {
    const readme = readFileSync(readmeFile, 'utf8')
    expect(readme).toBe(withOperations(readme, operations))
  })

  it('counts them right', () => {
    expect(readFileSync(readmeFile, 'utf8')).toContain(`all ${operations.length} operations`)
  })

  it('names each operation once', () => {
    const lines = operationTable(operations).split('\n').slice(2)
    expect(new Set(lines).size).toBe(operations.length)
  })

  it('tells what is special about an operation', () => {
    const row: Operation = {
      resource: 'testSuites.runs',
      name: 'list',
      method: 'GET',
      path: '/test-suite/{testSuiteId}/run',
      query: ['page'],
      body: 'none',
      answer: 'json',
      auth: 'bearer',
      deprecated: false,
    }
    const cellsOf = (change: Partial<Operation>) =>
      operationTable([{ ...row, ...change }])
        .split('\n')[2]
        ?.split('|')
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '')
    const [method, operation] = [
      '`testSuites.runs.list(testSuiteId, query)`',
      '`GET /test-suite/{testSuiteId}/run`',
    ]
    expect(cellsOf({})).toEqual([method, operation])
    expect(cellsOf({ pages: 'pages', deprecated: true })).toEqual([
      method,
      operation,
      '**deprecated**; a page; item by item: `testSuites.runs.pages(testSuiteId, query)`',
    ])
    const clone = {
      resource: 'providers',
      name: 'cloneVoice',
      method: 'POST',
      path: '/voice',
      query: [],
    } as const
    expect(cellsOf({ ...clone, body: 'multipart', answer: 'none', auth: 'none' })).toEqual([
      '`providers.cloneVoice(body)`',
      '`POST /voice`',
      'multipart form; answers nothing; no auth: the token is not sent',
    ])
    expect(cellsOf({ ...clone, body: 'json', stream: 'stream' })?.[2]).toBe(
      'streamed: `providers.stream(body)`',
    )
    expect(cellsOf({ answer: 'text' })?.[2]).toBe('answers text')
  })

  it('refuses a README without its marks', () => {
    expect(() => withOperations('# A client', operations)).toThrow('lacks the marks')
  })
})
