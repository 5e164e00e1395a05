import { SHOP_NAME_LENGTH } from '#accounts/seller-path.ts'
import { shopPath } from '#accounts/web/MakerLink.tsx'
import { useUser } from '#accounts/web/session.ts'
import { TextField } from '#ui/fields.tsx'
import type { Shop } from '../contract.ts'

interface NameFieldsProps {
  shop: Shop | null
  /** Typed values that are not saved. */
  typed: Record<string, string> | undefined
  error: string | undefined
}

/** What people call a maker: the name of the shop, and whether cards say first and last name. */
export function NameFields({ shop, typed, error }: NameFieldsProps) {
  const user = useUser()
  const shows = typed ? 'shows_name' in typed : (shop?.shows_name ?? false)
  return (
    <>
      <TextField
        label="Shop name"
        name="name"
        hint={
          shop?.name ? (
            <>
              Your page is <code>{decodeURI(shopPath(shop.username))}</code>, and{' '}
              <code>{decodeURI(shop.address)}</code> leads there too
            </>
          ) : (
            `If you like: shown in place of your username, at most ${SHOP_NAME_LENGTH} characters`
          )
        }
        limit={SHOP_NAME_LENGTH}
        defaultValue={typed?.name ?? shop?.name}
        error={error}
      />
      <div className="choices">
        <label className="tick">
          <input type="checkbox" name="shows_name" defaultChecked={shows} />
          {user ? `Show my name: ${user.first_name} ${user.last_name}` : 'Show my first and last name'}
        </label>
      </div>
    </>
  )
}
