import { expect, it } from 'vitest'
import { isSearch } from './operation.js'
import { eachOperation } from './operations.js'

const all = eachOperation()
/** One's own sign-in: the auth wire keeps its own audit of these. */
const SESSION_CHANGES = all
  .filter(({ noun, operation }) => noun === 'session' && operation.method !== 'GET')
  .map(({ name }) => name)

it('serves each operation at a place of its own', () => {
  const places = all.map(({ operation: { method, path } }) => `${method} ${path}`)
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
})

it('has a name for each that says what it does', () => {
  for (const { name, operation } of all) {
    expect(name).toMatch(/^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/)
    expect(operation.summary, name).toMatch(/^[A-Z].*[^.]$/)
  }
})

it('writes what an operator changes into the audit, but for what writes its own line', () => {
  const quiet = all.filter(({ operation: { method, reads, audit } }) => method !== 'GET' && !reads && !audit)
  expect(quiet.map(({ name }) => name)).toEqual([
    'operators.invite',
    'operators.setRole',
    'operators.remove',
    'operators.reset',
    'operators.setup',
    ...SESSION_CHANGES,
  ])
})

it('writes every export into the audit', () => {
  const exports = all.filter(({ name }) => /\.export/.test(name))
  expect(exports.map(({ name, operation }) => [name, operation.audit])).toEqual([
    ['visitors.export', 'visitors_exported'],
    ['visitors.exportCsv', 'visitors_exported'],
    ['calls.export', 'calls_exported'],
    ['calls.exportCsv', 'calls_exported'],
    ['timeline.export', 'timeline_exported'],
    ['timeline.exportCsv', 'timeline_exported'],
    ['people.export', 'person_exported'],
  ])
})

it('gives an input no field twice', () => {
  for (const { name, operation } of all) {
    const { query, body } = operation
    const fields = [...Object.keys(query?.shape ?? {}), ...Object.keys(body?.shape ?? {})]
    expect(new Set(fields).size, name).toBe(fields.length)
  }
})

it('leaves what only the shell may do to the secret key', () => {
  expect(all.filter(({ operation }) => operation.role === 'secret-key').map(({ name }) => name)).toEqual([
    'operators.setup',
    'installation.backup',
    'installation.rotateKeys',
  ])
})

it('asks for a fresh second factor for limits, operators, factors, keys and whom to tell', () => {
  const steps = all.filter(({ operation }) => operation.stepUp).map(({ name }) => name)
  expect(steps).toEqual([
    'endpoints.add',
    'endpoints.update',
    'endpoints.rotate',
    'endpoints.remove',
    'assistant.setLimits',
    'operators.invite',
    'operators.setRole',
    'operators.remove',
    'operators.reset',
    'session.removeFactor',
    'session.newRecoveryCodes',
    'apiKeys.add',
    'installation.keys',
  ])
})

it('has every read wait for its turn, but those of short rows, of other servers and of files', () => {
  const quick = all.filter(
    ({ operation }) =>
      (operation.method === 'GET' || operation.reads) &&
      operation.answer.kind === 'json' &&
      operation.role !== 'anyone' &&
      !isSearch(operation),
  )
  expect(quick.map(({ name }) => name)).toEqual([
    'visitors.show',
    'visitors.links',
    'visitors.privateSlug',
    'visitors.previewImport',
    'calls.transcript',
    'calls.recording',
    'doNotCall.previewImport',
    'timeline.show',
    'assistant.show',
    'assistant.versions',
    'assistant.version',
    'assistant.engines',
    'operators.me',
    'operators.list',
    'session.list',
    'installation.settings',
    'installation.health',
    'installation.keys',
    'numbers.list',
    'numbers.assigned',
    'tickets.show',
  ])
})
