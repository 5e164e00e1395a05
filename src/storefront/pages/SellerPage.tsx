import { Link, useLoaderData } from 'react-router'
import { shopPath } from '#accounts/web/MakerLink.tsx'
import { useUser } from '#accounts/web/session.ts'
import { AskMaker } from '#messages/web/AskMaker.tsx'
import { WhoSells } from '#onboarding/web/WhoSells.tsx'
import { Browse } from '#search/web/Browse.tsx'
import { SectionLinks } from '#sections/web/SectionLinks.tsx'
import { MakerPolicies } from '#sellers/web/MakerPolicies.tsx'
import { SellerProfile } from '#sellers/web/SellerProfile.tsx'
import { Empty } from '#ui/Empty.tsx'
import type { SellerFound } from './seller.route.ts'

/** A seller's profile and listings. */
export function Page() {
  const { shop, shopPage, sections, details, ...found } = useLoaderData<SellerFound>()
  const own = useUser()?.id === shop.id
  return (
    <>
      <SellerProfile shop={shop} page={shopPage} own={own}>
        {shop.takes_messages && shopPage.pieces > 0 && !own && (
          <AskMaker username={shop.username}>{`Write to ${shop.display_name}`}</AskMaker>
        )}
      </SellerProfile>
      <WhoSells details={details} />
      <section aria-labelledby="listings">
        <h2 id="listings">Listings</h2>
        <SectionLinks sections={sections} all={shopPath(shop.username)} chosen={found.query.section} />
        <Browse found={found}>
          <Empty drawing="stall" text="No listings yet">
            {own ? (
              <Link className="button quiet" to="/products/new">
                Offer your first piece
              </Link>
            ) : (
              <Link className="button quiet" to="/">
                See what others make
              </Link>
            )}
          </Empty>
        </Browse>
      </section>
      <MakerPolicies page={shopPage} />
      {!own && (
        <p>
          <Link
            className="alone quiet-link"
            to={`/report?maker=${encodeURIComponent(shop.username)}`}
            rel="nofollow"
          >
            Report this maker
          </Link>
        </p>
      )}
    </>
  )
}
