import { expect, it } from 'vitest'
import { withWholePrefix } from './whole-prefix.js'

it.each([
  ['a digit behind it', '+1 20', '+1 202', 6, '2', '+1 202', 6],
  ['a digit before it', '+1 202', '5+1 202', 1, '5', '+15 202', 3],
  ['a digit in it', '+1 202', '+51 202', 2, '5', '+15 202', 3],
  ['a digit over all', '+1 202', '5', 1, '5', '+15', 3],
  ['a digit over a part of it', '+1 202', '51 202', 1, '5', '+15 202', 3],
  ['a plus over all', '+1 202', '+', 1, '+', '+1+', 3],
  ['a deletion behind it', '+1 202', '+1 20', 5, '', '+1 20', 5],
  ['a deletion in it', '+44 202', '+4 202', 2, '', '+44 202', 3],
  ['a deletion of its plus', '+1 202', '1 202', 0, '', '+1 202', 2],
  ['a deletion of it and more', '+1 202', '02', 0, '', '+102', 2],
  ['a deletion of all', '+1 202', '', 0, '', '+1', 2],
])('stands before %s', (_, before, after, caret, typed, text, place) => {
  const prefix = before.slice(0, before.indexOf(' '))
  expect(withWholePrefix({ before, after, caret, typed }, prefix)).toEqual({ text, caret: place })
})
