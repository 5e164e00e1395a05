/** A paragraph with its lines, or the entries of a list. */
export interface StoryBlock {
  kind: 'paragraph' | 'list'
  lines: string[]
}

/** Parts of a story: an empty line ends a paragraph, a line that begins with "- " or "* " is an entry of a list. */
export function storyBlocks(story: string): StoryBlock[] {
  const blocks: StoryBlock[] = []
  let open: StoryBlock | undefined
  for (const line of story.split(/\r?\n/).map(line => line.trim())) {
    const entry = /^[-*]\s+(.+)$/.exec(line)?.[1]
    const kind = entry === undefined ? 'paragraph' : 'list'
    if (line === '') open = undefined
    else if (open?.kind === kind) open.lines.push(entry ?? line)
    else {
      open = { kind, lines: [entry ?? line] }
      blocks.push(open)
    }
  }
  return blocks
}
