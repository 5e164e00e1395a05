/**
 * Pages of the settings, of notifications, and those that letters about accounts lead to, by their paths. They are in one file: the first load
 * of the shop has the name of every file of pages.
 */
import { Page as ConfirmEmailPage } from '#accounts/web/ConfirmEmailPage.tsx'
import * as confirmEmail from '#accounts/web/confirmEmail.route.ts'
import { Page as ForgottenPage } from '#accounts/web/ForgottenPasswordPage.tsx'
import * as forgotten from '#accounts/web/forgottenPassword.route.ts'
import { Page as ResetPage } from '#accounts/web/ResetPasswordPage.tsx'
import * as reset from '#accounts/web/resetPassword.route.ts'
import { Page as SecurityPage } from '#accounts/web/SecurityPage.tsx'
import * as security from '#accounts/web/security.route.ts'
import { Page as AddressesPage } from '#addresses/web/AddressesPage.tsx'
import * as addresses from '#addresses/web/addresses.route.ts'
import { Page as ImportedPhotosPage } from '#draft-pictures/web/ImportedPhotosPage.tsx'
import * as importedPhotos from '#draft-pictures/web/importedPhotos.route.ts'
import { Page as BrandPage } from '#moderation/web/BrandPage.tsx'
import * as brand from '#moderation/web/brand.route.ts'
import { Page as NoticesPage } from '#moderation/web/NoticesPage.tsx'
import * as notices from '#moderation/web/notices.route.ts'
import { Page as OperatePage } from '#moderation/web/OperatePage.tsx'
import * as operate from '#moderation/web/operate.route.ts'
import { Page as EditorPage } from '#moderation/web/PagesPage.tsx'
import * as editor from '#moderation/web/pages.route.ts'
import { Page as ReportPage } from '#moderation/web/ReportPage.tsx'
import * as report from '#moderation/web/report.route.ts'
import { Page as SetupLinkPage } from '#moderation/web/SetupLinkPage.tsx'
import * as setupLink from '#moderation/web/setupLink.route.ts'
import { Page as LettersOffPage } from '#notifications/web/LettersOffPage.tsx'
import { Page as LettersPage } from '#notifications/web/LettersPage.tsx'
import * as letters from '#notifications/web/letters.route.ts'
import * as lettersOff from '#notifications/web/lettersOff.route.ts'
import { Page as NotificationsPage } from '#notifications/web/NotificationsPage.tsx'
import * as notifications from '#notifications/web/notifications.route.ts'
import { Page as SellerDetailsPage } from '#onboarding/web/SellerDetailsPage.tsx'
import { Page as SellPage } from '#onboarding/web/SellPage.tsx'
import * as sell from '#onboarding/web/sell.route.ts'
import * as sellerDetails from '#onboarding/web/sellerDetails.route.ts'
import { Page as AboutPage } from '#pages/web/AboutPage.tsx'
import * as page from '#pages/web/page.route.ts'
import { Page as AccountPage } from '#personal-data/web/AccountPage.tsx'
import * as account from '#personal-data/web/account.route.ts'
import { Page as PostagePage } from '#postage/web/PostageProfilesPage.tsx'
import * as postage from '#postage/web/postageProfiles.route.ts'
import { Page as PaymentPage } from '#sales/web/PaymentWordsPage.tsx'
import * as payment from '#sales/web/paymentWords.route.ts'
import { Page as SectionsPage } from '#sections/web/SectionsPage.tsx'
import * as sections from '#sections/web/sections.route.ts'
import { Page as HolidayPage } from '#sellers/web/HolidayPage.tsx'
import * as holiday from '#sellers/web/holiday.route.ts'
import { Page as PoliciesPage } from '#sellers/web/PoliciesPage.tsx'
import * as policies from '#sellers/web/policies.route.ts'
import { Page as ShopPage } from '#sellers/web/ShopSettingsPage.tsx'
import * as shop from '#sellers/web/shopSettings.route.ts'

/** Path → page. */
export const pages = {
  'settings/payment': {
    loader: payment.loader,
    action: payment.action,
    handle: payment.handle,
    Component: PaymentPage,
  },
  'settings/shop': { loader: shop.loader, action: shop.action, handle: shop.handle, Component: ShopPage },
  'settings/policies': {
    loader: policies.loader,
    action: policies.action,
    handle: policies.handle,
    Component: PoliciesPage,
  },
  'settings/seller': {
    loader: sellerDetails.loader,
    action: sellerDetails.action,
    handle: sellerDetails.handle,
    Component: SellerDetailsPage,
  },
  sell: { loader: sell.loader, action: sell.action, handle: sell.handle, Component: SellPage },
  'settings/sections': {
    loader: sections.loader,
    action: sections.action,
    handle: sections.handle,
    Component: SectionsPage,
  },
  'settings/postage': {
    loader: postage.loader,
    action: postage.action,
    shouldRevalidate: postage.shouldRevalidate,
    handle: postage.handle,
    Component: PostagePage,
  },
  'settings/holiday': {
    loader: holiday.loader,
    action: holiday.action,
    handle: holiday.handle,
    Component: HolidayPage,
  },
  'settings/security': {
    loader: security.loader,
    action: security.action,
    handle: security.handle,
    Component: SecurityPage,
  },
  'settings/account/delete?': {
    loader: account.loader,
    action: account.action,
    handle: account.handle,
    Component: AccountPage,
  },
  'forgot-password': { action: forgotten.action, handle: forgotten.handle, Component: ForgottenPage },
  'reset-password': {
    loader: reset.loader,
    action: reset.action,
    handle: reset.handle,
    Component: ResetPage,
  },
  'confirm-email': {
    loader: confirmEmail.loader,
    action: confirmEmail.action,
    handle: confirmEmail.handle,
    Component: ConfirmEmailPage,
  },
  'settings/letters': {
    loader: letters.loader,
    action: letters.action,
    handle: letters.handle,
    Component: LettersPage,
  },
  'settings/addresses/:addressId?': {
    loader: addresses.loader,
    action: addresses.action,
    handle: addresses.handle,
    Component: AddressesPage,
  },
  'letters/off/:token': {
    loader: lettersOff.loader,
    action: lettersOff.action,
    handle: lettersOff.handle,
    Component: LettersOffPage,
  },
  'import/photos': {
    loader: importedPhotos.loader,
    action: importedPhotos.action,
    handle: importedPhotos.handle,
    Component: ImportedPhotosPage,
  },
  'settings/notices': {
    loader: notices.loader,
    action: notices.action,
    handle: notices.handle,
    Component: NoticesPage,
  },
  'operate/:part?': {
    loader: operate.loader,
    action: operate.action,
    handle: operate.handle,
    Component: OperatePage,
  },
  'operate/pages/:slug?': {
    loader: editor.loader,
    action: editor.action,
    shouldRevalidate: editor.shouldRevalidate,
    handle: editor.handle,
    Component: EditorPage,
  },
  'operate/brand': {
    loader: brand.loader,
    action: brand.action,
    shouldRevalidate: brand.shouldRevalidate,
    handle: brand.handle,
    Component: BrandPage,
  },
  'setup/:token': {
    loader: setupLink.loader,
    action: setupLink.action,
    handle: setupLink.handle,
    Component: SetupLinkPage,
  },
  report: { loader: report.loader, action: report.action, handle: report.handle, Component: ReportPage },
  ':slug': { loader: page.loader, handle: page.handle, Component: AboutPage },
  notifications: {
    loader: notifications.loader,
    action: notifications.action,
    shouldRevalidate: notifications.shouldRevalidate,
    handle: notifications.handle,
    Component: NotificationsPage,
  },
}
