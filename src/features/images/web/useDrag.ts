import { type HTMLAttributes, type PointerEvent, type RefObject, useState } from 'react'

/** A row that is dragged, and the index where it would be dropped. */
interface Drag {
  row: string
  to: number
}

/**
 * Drags rows of a list with the mouse. A touch scrolls the page, and there are buttons for everybody.
 * @returns what is dragged, and the listeners of the handle of a row
 */
export function useDrag(list: RefObject<HTMLElement | null>, drop: (row: string, to: number) => void) {
  const [drag, setDrag] = useState<Drag>()
  const end = () => setDrag(undefined)
  const handle = (row: string, index: number): HTMLAttributes<HTMLElement> => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.pointerType !== 'mouse' || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ row, to: index })
    },
    onPointerMove({ clientY }) {
      if (drag?.row !== row) return
      const rows = [...(list.current?.children ?? [])]
      const to = rows.findIndex(each => clientY < each.getBoundingClientRect().bottom)
      if (to < 0 || to === drag.to) return
      // Scrolls towards rows outside the window.
      rows[to]?.scrollIntoView({ block: 'nearest' })
      setDrag({ row, to })
    },
    onPointerUp() {
      if (drag?.row === row) drop(row, drag.to)
      end()
    },
    onPointerCancel: end,
    // The browser would drag the picture itself.
    onDragStart: event => event.preventDefault(),
  })
  return { drag, handle }
}
