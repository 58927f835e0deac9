import { expect, it } from 'vitest'
import { checkHsts, checkMicrophone } from './transport-check.js'

it.each([
  ['max-age=31536000', 'ok'],
  ['max-age="86400"; includeSubDomains', 'ok'],
  ['max-age=0', 'warn'],
  [undefined, 'warn'],
])('of Strict-Transport-Security %s it is %s', (value, status) => {
  const headers = new Headers(value === undefined ? {} : { 'strict-transport-security': value })
  expect(checkHsts(headers).status).toBe(status)
})

it.each([
  ['https://demo.example', undefined, 'ok'],
  ['https://demo.example', 'microphone=(self)', 'ok'],
  ['https://demo.example', 'microphone=(self), camera=(), microphone=()', 'fail'],
  ['https://demo.example', 'geolocation=(), microphone=()', 'fail'],
  ['http://localhost:3000', undefined, 'ok'],
  ['http://127.0.0.1:3000', 'microphone=(self)', 'ok'],
  ['http://demo.example', undefined, 'fail'],
  ['http://192.168.0.9:3000', 'microphone=(self)', 'fail'],
])('the microphone at %s with %s is %s', (url, policy, status) => {
  const headers = new Headers(policy === undefined ? {} : { 'permissions-policy': policy })
  expect(checkMicrophone(new URL(url), { status: 200, headers, body: undefined }).status).toBe(status)
})
