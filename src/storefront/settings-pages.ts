/** Pages of the settings, in one file: the first load of the shop has the name of every file of pages. */
import { Page as SecurityPage } from '#accounts/web/SecurityPage.tsx'
import * as security from '#accounts/web/security.route.ts'
import { Page as AccountPage } from '#personal-data/web/AccountPage.tsx'
import * as account from '#personal-data/web/account.route.ts'
import { Page as ShopPage } from '#sellers/web/ShopSettingsPage.tsx'
import * as shop from '#sellers/web/shopSettings.route.ts'

export const pages = {
  shop: { loader: shop.loader, action: shop.action, handle: shop.handle, Component: ShopPage },
  security: {
    loader: security.loader,
    action: security.action,
    handle: security.handle,
    Component: SecurityPage,
  },
  account: {
    loader: account.loader,
    action: account.action,
    handle: account.handle,
    Component: AccountPage,
  },
}
