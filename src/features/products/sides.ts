/** The sides of a piece: control, column and label. */
export const SIDES = [
  ['length_cm', 'length_mm', 'Length'],
  ['width_cm', 'width_mm', 'Width'],
  ['height_cm', 'height_mm', 'Height'],
] as const
