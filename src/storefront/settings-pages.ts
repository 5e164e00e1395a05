/**
 * Pages of the settings, of notifications, and those that letters about accounts lead to, by their paths. They are in
 * one file: the first load of the shop has the name of every file of pages.
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
import { pageOf } from './lazy-pages.ts'

/** Path → page. */
export const pages = {
  'settings/payment': pageOf(payment, PaymentPage),
  'settings/shop': pageOf(shop, ShopPage),
  'settings/policies': pageOf(policies, PoliciesPage),
  'settings/seller': pageOf(sellerDetails, SellerDetailsPage),
  sell: pageOf(sell, SellPage),
  'settings/sections': pageOf(sections, SectionsPage),
  'settings/postage': pageOf(postage, PostagePage),
  'settings/holiday': pageOf(holiday, HolidayPage),
  'settings/security': pageOf(security, SecurityPage),
  'settings/account/delete?': pageOf(account, AccountPage),
  'forgot-password': pageOf(forgotten, ForgottenPage),
  'reset-password': pageOf(reset, ResetPage),
  'confirm-email': pageOf(confirmEmail, ConfirmEmailPage),
  'settings/letters': pageOf(letters, LettersPage),
  'settings/addresses/:addressId?': pageOf(addresses, AddressesPage),
  'letters/off/:token': pageOf(lettersOff, LettersOffPage),
  'import/photos': pageOf(importedPhotos, ImportedPhotosPage),
  'settings/notices': pageOf(notices, NoticesPage),
  'operate/:part?': pageOf(operate, OperatePage),
  'operate/pages/:slug?': pageOf(editor, EditorPage),
  'operate/brand': pageOf(brand, BrandPage),
  'setup/:token': pageOf(setupLink, SetupLinkPage),
  report: pageOf(report, ReportPage),
  ':slug': pageOf(page, AboutPage),
  notifications: pageOf(notifications, NotificationsPage),
}
