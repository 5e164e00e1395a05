import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storyBlocks } from './story.ts'

test('empty lines separate paragraphs, whose lines stay', () => {
  expect(storyBlocks('Thrown by hand.\nGlazed twice.\n\n \nFired with wood.')).toEqual([
    { kind: 'paragraph', lines: ['Thrown by hand.', 'Glazed twice.'] },
    { kind: 'paragraph', lines: ['Fired with wood.'] },
  ])
})

test('lines with a dash or a star are a list, also within a paragraph', () => {
  expect(storyBlocks('You get:\r\n- one mug\r\n* one saucer\r\nWrapped in paper.')).toEqual([
    { kind: 'paragraph', lines: ['You get:'] },
    { kind: 'list', lines: ['one mug', 'one saucer'] },
    { kind: 'paragraph', lines: ['Wrapped in paper.'] },
  ])
})

test('a dash without a blank, a rule of stars and tags are text', () => {
  for (const text of ['-5 degrees', '***', '-', '<b>bold</b>'])
    expect(storyBlocks(text)).toEqual([{ kind: 'paragraph', lines: [text] }])
})

test('the blocks of a story have every word, and no empty line', () => {
  const wordsIn = (text: string) => text.split(/\s+/).filter(word => !/^[-*]?$/.test(word))
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'bc', '-', '*', ' ', '\n', '\n\n', '- ')), parts => {
      const story = parts.join('')
      const blocks = storyBlocks(story)
      expect(blocks.flatMap(({ lines }) => lines.flatMap(wordsIn))).toEqual(
        story.split('\n').flatMap(line => wordsIn(line.trim().replace(/^[-*]\s+(?=.)/, ''))),
      )
      for (const { lines } of blocks) expect(lines.every(line => line.trim() !== '')).toBe(true)
    }),
  )
})
