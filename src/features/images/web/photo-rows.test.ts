import { expect, test } from 'vitest'
import type { Image } from '../contract.ts'
import { photosIn } from './photo-fields.ts'
import { currentRows, fileOf, firstRows, keyOf, moved, withoutChosen, withoutFiles } from './photo-rows.ts'

const images = [7, 8].map(id => ({ id }) as Image)

/** Keys of the photos of a form whose places are these. */
const keysOf = (places: Record<string, string>) =>
  photosIn(Object.entries(places).map(([key, place]) => [`place.${key}`, place])).map(({ key }) => key)

test('numbers order photos, and one that was moved takes the place of another', () => {
  expect(keysOf({ 7: '1', 8: '2', 9: '3' })).toEqual(['7', '8', '9'])
  expect(keysOf({ 7: '1', 8: '2', 9: '1' })).toEqual(['9', '7', '8'])
  expect(keysOf({ 7: '3', 8: '2', 9: '3' })).toEqual(['8', '9', '7'])
  expect(keysOf({ 7: '2', 8: '1', 9: '3' })).toEqual(['8', '7', '9'])
  expect(keysOf({ 7: '99', 8: '2', 9: '3' })).toEqual(['8', '9', '7'])
})

test('chosen files follow the stored photos, and keep their place when another is taken out', () => {
  const three = currentRows(firstRows(undefined), images, 3)
  expect(three.order).toEqual(['7', '8', 'file0', 'file1', 'file2'])
  const rows = moved(three, 'file2', 0)
  expect(rows.order).toEqual(['file2', '7', '8', 'file0', 'file1'])
  expect(keyOf(rows, 'file2')).toBe('new2')
  const two = currentRows(withoutFiles(rows, [0]), images, 2)
  expect(two.order).toEqual(['file2', '7', '8', 'file1'])
  expect([fileOf(two, 'file1'), fileOf(two, 'file2'), fileOf(two, '7')]).toEqual([0, 1, -1])
  expect(keyOf(two, '7')).toBe('7')
})

test('newly chosen files get new rows', () => {
  const rows = moved(currentRows(firstRows(undefined), images, 1), 'file0', 0)
  const other = currentRows(withoutChosen(rows), images, 1)
  expect(other.order).toEqual(['7', '8', 'file1'])
})

test('a form that is opened again has the order that it had', () => {
  const draft = { 'place.8': '1', 'place.new1': '2', 'place.7': '3', 'place.new0': '4', name: 'Mug' }
  const rows = currentRows(firstRows(draft), images, 2)
  expect(rows.order.map(row => keyOf(rows, row))).toEqual(['8', 'new1', '7', 'new0'])
})
