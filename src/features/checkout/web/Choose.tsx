import { CART_FORM, type CartResult } from '#cart/web/cartForm.ts'
import { useTransient } from '#ui/use-transient.ts'

/** A button that saves the choice without scripts, and the message that it is saved. @param name for screen readers */
export function Choose({ name, result }: { name: string; result: CartResult | undefined }) {
  const shown = useTransient(result)
  return (
    <div className="choose">
      <button
        className="button quiet unscripted"
        type="submit"
        form={CART_FORM}
        name="intent"
        value="quantities"
        aria-label={name}
      >
        Choose
      </button>
      <p className="success" role="status">
        {shown?.saved && 'Saved'}
      </p>
    </div>
  )
}
