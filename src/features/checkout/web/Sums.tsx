import { dollars } from '#money'

/** What a cart costs, with its postage if there is any. */
export const Sums = ({ pieces, postage, total }: { pieces: number; postage: number; total: number }) => (
  <div className="sums">
    {postage > 0 && (
      <>
        <p>{`Pieces: ${dollars(pieces)}`}</p>
        <p>{`Postage: ${dollars(postage)}`}</p>
      </>
    )}
    <p className="total">{`Total Price: ${dollars(total)}`}</p>
  </div>
)
