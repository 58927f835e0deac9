import { expect, it } from 'vitest'
import { parseEnvLines } from './env-lines.js'
import { envExample } from './settings-docs.js'

const parsed = (text: string) => Object.fromEntries(parseEnvLines(text, '.env'))

it.each<[string, string, Record<string, string>]>([
  ['names and values', 'PORT=3000\nHOST=0.0.0.0', { PORT: '3000', HOST: '0.0.0.0' }],
  ['blank lines, comments and an empty value', '\n# PORT=1\n  \nPORT=\nHOST=::1', { PORT: '', HOST: '::1' }],
  ['spaces around', '  PORT =  3000  \n\texport HOST=::1', { PORT: '3000', HOST: '::1' }],
  ['a comment behind a value', 'PORT=3000 # or 80\nHOST= # here', { PORT: '3000', HOST: '' }],
  ['quotes of three kinds', 'A="x # y"\nB=\'x "y"\'\nC=`it\'s`', { A: 'x # y', B: 'x "y"', C: "it's" }],
  ['an apostrophe within', "COMPANY_NAME=Ada's Phones", { COMPANY_NAME: "Ada's Phones" }],
  ['an equals sign within', 'KEY=abc==', { KEY: 'abc==' }],
  ['several lines in quotes', 'A="x\n# y\nz" # end\nB=1', { A: 'x\n# y\nz', B: '1' }],
  ['line breaks spelled out, in double quotes alone', 'A="x\\ny"\nB=\'x\\ny\'', { A: 'x\ny', B: 'x\\ny' }],
  ['a file of Windows', '\uFEFFPORT=3000\r\nHOST="::1"\r\n', { PORT: '3000', HOST: '::1' }],
  ['the last of two', 'PORT=1\nPORT=2', { PORT: '2' }],
  ['nothing for nothing', '', {}],
])('reads %s', (_, text, values) => {
  expect(parsed(text)).toEqual(values)
})

it.each([
  ['no equals sign', 'A=1\nsecret', '.env, line 2: is no NAME=value, where a name has letters, digits and _'],
  ['a colon', '\n\nPORT: 3000', '.env, line 3: is no NAME=value, where a name has letters, digits and _'],
  [
    'a name with a space',
    'MY PORT=1',
    '.env, line 1: is no NAME=value, where a name has letters, digits and _',
  ],
  ['no name', '=1', '.env, line 1: is no NAME=value, where a name has letters, digits and _'],
  [
    'a quote left open',
    'A=1\nKEY="secret\nB=2',
    '.env, line 2: the value of KEY begins with ", which is never closed',
  ],
  ['words behind a quote', "A='x\ny' z", ".env, line 1: something follows the ' that ends the value of A"],
  [
    'a # that would cut a value',
    'A=1\nKEY=secret#2',
    '.env, line 2: a # begins a comment: put the value of KEY in quotes',
  ],
])('names the line with %s, and repeats no value', (_, text, message) => {
  expect(() => parsed(text)).toThrow(expect.objectContaining({ name: 'SettingError', message }))
})

it('reads .env.example, also with every line of it in use', () => {
  expect(parsed(envExample())).toEqual({})
  const used = envExample().replace(/^#(?=[A-Z_0-9]+=)/gm, '')
  expect(parsed(used)).toMatchObject({ PORT: '3000', DRAIN_SECONDS: '120' })
})
