import { PASSWORD } from '../person.ts'
import {
  cancels,
  deletes,
  fromMenu,
  opensMenu,
  presses,
  type Scene,
  type Screen,
  submits,
} from './screen-steps.ts'

/** Every page and dialog of the shop, with its messages. */
export const screensOf = (scene: Scene): Screen[] => {
  const piece = () => `/products/${scene.product}`
  return [
    { name: 'landing page', path: () => '/', viewer: 'visitor' },
    { name: 'landing page, signed in', path: () => '/' },
    { name: 'menu of somebody signed in', path: () => '/search', steps: opensMenu },
    { name: 'category', path: () => '/categories/home-living', viewer: 'visitor' },
    { name: 'maker', path: () => scene.shop, viewer: 'visitor' },
    { name: 'own page of a maker', path: () => scene.shop },
    { name: 'maker without listings', path: () => scene.emptyShop, viewer: 'visitor' },
    { name: 'favourites', path: () => '/favourites' },
    { name: 'favourites, none yet', path: () => '/favourites', viewer: 'newcomer' },
    { name: 'settings of the shop page', path: () => '/settings/shop' },
    {
      name: 'settings with messages',
      path: () => '/settings/shop',
      steps: async there => {
        await there.fill('About you', 'x'.repeat(501))
        await submits('Save')(there)
      },
    },
    { name: 'photo and policies', path: () => '/settings/policies' },
    {
      name: 'photo and policies with messages',
      path: () => '/settings/policies',
      steps: async there => {
        await there.fill('Phone', 'ring me')
        await submits('Save')(there)
      },
    },
    { name: 'makers', path: () => '/makers?q=m', viewer: 'visitor' },
    { name: 'search', path: () => '/search?q=pot', viewer: 'visitor' },
    {
      name: 'search, filters open',
      path: () => '/search?min=1',
      steps: async ({ page }) => {
        const button = page.locator('summary', { hasText: 'Filter' })
        if (await button.isVisible()) await button.click()
      },
    },
    { name: 'search, prices crossed', path: () => '/search?min=2&max=1', expects: /status of 400/ },
    { name: 'search without a match', path: () => '/search?q=pot&max=1' },
    {
      name: 'suggestions',
      path: () => '/search',
      steps: async there => {
        await there.page.locator('.search input:visible').fill('pot')
        await there.page.locator('.suggestions [role=option]').first().waitFor()
      },
    },
    { name: 'menu of a visitor', path: () => '/', viewer: 'visitor', steps: opensMenu },
    { name: 'login dialog', path: () => '/', viewer: 'visitor', steps: fromMenu('Log In') },
    { name: 'signup dialog', path: () => '/', viewer: 'visitor', steps: fromMenu('Sign Up') },
    { name: 'login page', path: () => '/login', viewer: 'visitor' },
    { name: 'login page with messages', path: () => '/login', viewer: 'visitor', steps: submits('Log In') },
    { name: 'forgotten password', path: () => '/forgot-password', viewer: 'visitor' },
    {
      name: 'forgotten password with messages',
      path: () => '/forgot-password',
      viewer: 'visitor',
      steps: submits('Send me a link'),
    },
    {
      name: 'link that cannot be used',
      path: () => '/reset-password?token=x',
      viewer: 'visitor',
      expects: /status of 410/,
    },
    { name: 'signup page', path: () => '/signup', viewer: 'visitor' },
    {
      name: 'signup page with messages',
      path: () => '/signup',
      viewer: 'visitor',
      steps: submits('Sign Up'),
      expects: /status of 400/,
    },
    { name: 'product', path: piece },
    {
      name: 'product, added to the cart',
      path: piece,
      steps: async there => {
        await there.press('button', 'Add to cart')
        await there.page.getByRole('status').locator('p').first().waitFor()
      },
      expects: /status of 409/,
    },
    { name: 'product for a visitor', path: piece, viewer: 'visitor' },
    {
      name: 'product, login needed',
      path: piece,
      viewer: 'visitor',
      steps: async there => {
        await there.press('button', 'Add to cart')
        await there.sees('Please login to add items to cart.')
      },
      expects: /status of 401/,
    },
    {
      name: 'product without reviews for a visitor',
      path: () => `/products/${scene.soldOut}`,
      viewer: 'visitor',
    },
    {
      name: 'enlarged photo',
      path: piece,
      steps: async there => {
        await there.page.getByRole('link', { name: 'Enlarge' }).click()
        await there.page.getByRole('dialog').waitFor()
      },
    },
    {
      name: 'magnified photo',
      path: piece,
      steps: async there => {
        await there.page.getByRole('link', { name: 'Enlarge' }).click()
        await there.press('button', 'Magnify')
      },
    },
    { name: 'product, sold out, without reviews', path: () => `/products/${scene.soldOut}` },
    { name: 'edit review dialog', path: piece, steps: presses('Edit Review', 'Edit your review') },
    {
      name: 'delete review dialog',
      path: piece,
      steps: presses('Delete Review', 'Are you sure you want to delete?'),
    },
    { name: 'edit review page', path: () => `${piece()}/edit-review` },
    { name: 'delete review page', path: () => `${piece()}/delete-review` },
    {
      name: 'create review page with messages',
      path: () => `/products/${scene.soldOut}/create-review`,
      steps: submits('Leave Review'),
    },
    {
      name: 'product, reviews chosen by stars',
      path: () => `${piece()}?stars=2&sort=highest`,
      viewer: 'visitor',
    },
    { name: 'reply page', path: () => `${piece()}/reply?review=${scene.review}` },
    {
      name: 'reply dialog',
      path: piece,
      steps: async there => {
        await there.page.getByRole('button', { name: 'Edit reply' }).first().click()
        await there.page.getByRole('dialog').waitFor()
      },
    },
    { name: 'reviews', path: () => `${piece()}/reviews` },
    { name: 'your listings', path: () => '/your-listings' },
    { name: 'your listings, none yet', path: () => '/your-listings', viewer: 'newcomer' },
    { name: 'your listings, retired', path: () => '/your-listings?state=retired' },
    { name: 'change listings', path: () => '/your-listings/change?all=yes&change=price_percent&amount=10' },
    {
      name: 'change listings, refused',
      path: () => '/your-listings/change?all=yes&change=price_set&amount=0',
    },
    { name: 'delete listing dialog', path: () => '/your-listings', steps: deletes },
    { name: 'security', path: () => '/settings/security' },
    {
      name: 'security with messages',
      path: () => '/settings/security',
      steps: submits('Change password'),
    },
    { name: 'sections', path: () => '/settings/sections' },
    { name: 'drafts', path: () => '/drafts' },
    { name: 'postage', path: () => '/settings/postage' },
    { name: 'new postage profile', path: () => '/settings/postage?profile=new' },
    { name: 'payment', path: () => '/settings/payment' },
    { name: 'sold', path: () => '/sold' },
    { name: 'sold, nothing yet', path: () => '/sold', viewer: 'newcomer' },
    { name: 'holiday', path: () => '/settings/holiday' },
    { name: 'letters', path: () => '/settings/letters' },
    { name: 'import', path: () => '/import' },
    { name: 'photos of drafts', path: () => '/import/photos' },
    { name: 'addresses', path: () => '/settings/addresses' },
    { name: 'notices', path: () => '/settings/notices' },
    { name: 'seller details', path: () => '/settings/seller' },
    { name: 'seller details with messages', path: () => '/settings/seller', steps: submits('Save') },
    { name: 'sell with us', path: () => '/sell' },
    { name: 'sell with us, a visitor who is invited', path: () => '/sell?invitation=x', viewer: 'visitor' },
    { name: 'link of a new shop', path: () => '/setup/x', viewer: 'visitor' },
    {
      name: 'report of a reply',
      path: () => `/report?listing=${scene.product}&reply=${scene.review}`,
      viewer: 'visitor',
    },
    { name: 'report', path: () => `/report?listing=${scene.product}`, viewer: 'visitor' },
    {
      name: 'operate, to nobody',
      path: () => '/operate',
      expects: /status of 404/,
    },
    {
      name: 'link of a letter that is not whole',
      path: () => '/letters/off/7',
      viewer: 'visitor',
      expects: /status of 404/,
    },
    { name: 'notifications', path: () => '/notifications' },
    { name: 'notifications, none yet', path: () => '/notifications', viewer: 'newcomer' },
    { name: 'account', path: () => '/settings/account' },
    {
      name: 'account with messages',
      path: () => '/settings/account',
      steps: async there => {
        await there.fill('Username', 'ab')
        await submits('Save')(there)
      },
    },
    {
      name: 'account with messages about the address',
      path: () => '/settings/account',
      steps: submits('Change e-mail address'),
    },
    {
      name: 'account with an address that waits',
      path: () => '/settings/account',
      viewer: 'newcomer',
      steps: async there => {
        await there.fill('New Email', `${'long'.repeat(60)}@example.com`)
        await there.fill('Current Password', PASSWORD)
        await there.press('button', 'Change e-mail address')
        await there.one('button', 'Cancel this change').waitFor()
      },
    },
    { name: 'confirmation of the address', path: () => '/confirm-email?token=x', viewer: 'visitor' },
    {
      name: 'confirmation of the address with an old link',
      path: () => '/confirm-email?token=x',
      steps: async there => {
        await there.press('button', 'Confirm')
        await there.one('link', 'Ask for another letter').waitFor()
      },
      expects: /status of 400/,
    },
    { name: 'confirmed address', path: () => '/confirm-email?done=confirmed', viewer: 'visitor' },
    { name: 'deletion with running orders', path: () => '/settings/account/delete' },
    { name: 'deletion', path: () => '/settings/account/delete', viewer: 'newcomer' },
    {
      name: 'deletion with messages',
      path: () => '/settings/account/delete',
      viewer: 'newcomer',
      steps: submits('Delete my account'),
    },
    { name: 'after a deletion', path: () => '/settings/account/delete?deleted', viewer: 'visitor' },
    { name: 'add listing', path: () => '/products/new' },
    { name: 'add listing with messages', path: () => '/products/new', steps: submits('Add a listing') },
    { name: 'edit listing', path: () => `${piece()}/edit` },
    {
      name: 'edit listing with messages',
      path: () => `${piece()}/edit`,
      steps: async there => {
        await there.fill('Name', '')
        await submits('Update listing')(there)
      },
    },
    { name: 'cart', path: () => '/cart' },
    { name: 'cart of a visitor', path: () => '/cart', viewer: 'visitor' },
    { name: 'empty cart', path: () => '/cart', viewer: 'newcomer' },
    {
      name: 'cart with too much, and a refused change',
      path: () => '/cart',
      viewer: 'latecomer',
      steps: async there => {
        const quantity = there.field('Quantity of Twin bowls')
        // As on a page that was loaded when there were more.
        await quantity.evaluate(select => {
          for (const option of (select as HTMLSelectElement).options) option.disabled = false
        })
        await quantity.selectOption('30')
        await there.page.locator('.cart-line .problems').first().waitFor()
      },
      expects: /status of 409/,
    },
    { name: 'checkout page with too much', path: () => '/cart?checkout=yes', viewer: 'latecomer' },
    {
      name: 'checkout dialog',
      path: () => '/cart',
      steps: presses('Proceed to checkout', 'Review Your Order'),
    },
    { name: 'checkout page', path: () => '/cart?checkout=yes' },
    { name: 'orders', path: () => '/orders/view' },
    { name: 'orders, none yet', path: () => '/orders/view', viewer: 'newcomer' },
    { name: 'all orders', path: () => '/orders' },
    { name: 'all orders, none yet', path: () => '/orders', viewer: 'newcomer' },
    { name: 'one order', path: () => `/orders/${scene.order}` },
    { name: 'messages', path: () => '/messages' },
    { name: 'messages, none yet', path: () => '/messages', viewer: 'newcomer' },
    { name: 'one conversation', path: () => `/messages/${scene.conversation}` },
    {
      name: 'first message, empty',
      path: () => `/messages/to/${scene.shop.split('/')[2]}?listing=${scene.product}`,
      viewer: 'newcomer',
      steps: submits('Send message'),
    },
    { name: 'cancel dialog', path: () => '/orders/view', steps: cancels(scene) },
    { name: 'cancel page', path: () => `/orders/${scene.order}/delete-order` },
    { name: '404 page', path: () => '/nothing', expects: /status of 404/ },
    {
      name: '405 page',
      path: () => '/search',
      viewer: 'visitor',
      steps: async there => {
        // As from another page that posts to an address without an action.
        await there.page.evaluate(() => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'post', action: '/search' })
          document.body.append(form)
          form.submit()
        })
        await there.heading('405 – Method not allowed')
      },
      expects: /status of 405/,
    },
  ]
}
