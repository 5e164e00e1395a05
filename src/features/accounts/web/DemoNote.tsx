import { useSession } from './session.ts'

/** Says of a demo shop that it is one. */
export const DemoNote = () =>
  useSession().demo && (
    <p>This is a demo: its people and pieces are invented, their pictures are computer-made.</p>
  )
