import type { Listing } from '../contract.ts'

/** A seller's picture as large as a letter, or the first letter of their name, which is beside it. */
export const MakerPicture = ({ maker, maker_picture }: Pick<Listing, 'maker' | 'maker_picture'>) =>
  maker_picture === null ? (
    <span className="maker-picture" aria-hidden="true">
      {[...maker][0]?.toUpperCase()}
    </span>
  ) : (
    <img
      className="maker-picture"
      src={maker_picture}
      width="24"
      height="24"
      alt=""
      loading="lazy"
      decoding="async"
    />
  )
