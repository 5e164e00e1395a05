import { useSession } from './session.ts'

/** Banner of a demo shop. */
export const DemoNote = () =>
  useSession().demo && (
    <p>This is a demo: its people and pieces are invented, their pictures are computer-made.</p>
  )
