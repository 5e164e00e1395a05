import type { ComponentType } from 'react'
import { data, type RouteObject } from 'react-router'
import { Header } from '#accounts/web/Header.tsx'
import { loader as sessionLoader } from '#accounts/web/session.ts'
import { SearchBox, ToSearch } from '#search/web/SearchBox.tsx'
import { PageError, RootError } from '../ui/ErrorPages.tsx'
import { Layout } from '../ui/Layout.tsx'
import type {} from './calls.ts'
import { loader as refusalLoader } from './error-route.ts'
import { pageOf, type RouteFile } from './lazy-pages.ts'
import { reviewPages } from './review-routes.ts'
import { listingForms } from './selling-routes.ts'

const page = (file: () => Promise<RouteFile>, view: () => Promise<{ Page: ComponentType }>) => ({
  lazy: async () => {
    const [route, { Page }] = await Promise.all([file(), view()])
    return pageOf(route, Page)
  },
})

const productPage = page(
  () => import('./pages/product.route.ts'),
  () => import('./pages/ProductPage.tsx'),
)

const throwNotFound = () => {
  throw data('There is nothing at this address', { status: 404 })
}

/** The route above every page: the browser adds `moreRoutes` there. */
export const ABOVE_PAGES = 'refusal'

/**
 * The routes of the shop.
 * @param more those of more-routes.ts; the browser begins without them
 */
export const routesWith = (more: RouteObject[]): RouteObject[] => [
  {
    id: 'session',
    loader: sessionLoader,
    element: <Layout header={<Header search={<SearchBox place="header" />} toSearch={<ToSearch />} />} />,
    ErrorBoundary: RootError,
    children: [
      {
        id: ABOVE_PAGES,
        loader: refusalLoader,
        ErrorBoundary: PageError,
        children: [
          {
            index: true,
            ...page(
              () => import('./pages/landing.route.ts'),
              () => import('./pages/LandingPage.tsx'),
            ),
          },
          {
            path: 'login',
            ...page(
              () => import('#accounts/web/login.route.ts'),
              () => import('#accounts/web/LoginPage.tsx'),
            ),
          },
          {
            path: 'signup',
            ...page(
              () => import('#accounts/web/signup.route.ts'),
              () => import('#accounts/web/SignupPage.tsx'),
            ),
          },
          ...listingForms,
          {
            path: 'search',
            ...page(
              () => import('./pages/search.route.ts'),
              () => import('./pages/SearchPage.tsx'),
            ),
          },
          {
            path: 'categories/:slug',
            ...page(
              () => import('./pages/category.route.ts'),
              () => import('./pages/CategoryPage.tsx'),
            ),
          },
          {
            path: 'favourites',
            ...page(
              () => import('./pages/favourites.route.ts'),
              () => import('./pages/FavouritesPage.tsx'),
            ),
          },
          {
            path: 'shops/:username',
            ...page(
              () => import('./pages/seller.route.ts'),
              () => import('./pages/SellerPage.tsx'),
            ),
          },
          {
            path: 'products/:productId',
            id: 'product',
            ...productPage,
            children: reviewPages,
          },
          { path: 'products/:productId/:slug', ...productPage },
          {
            path: 'products/:productId/reviews',
            ...page(
              () => import('#reviews/web/reviews.route.ts'),
              () => import('#reviews/web/ReviewsPage.tsx'),
            ),
          },
          {
            path: 'cart',
            ...page(
              () => import('#checkout/web/cart.route.ts'),
              () => import('#checkout/web/CartPage.tsx'),
            ),
          },
          { path: '*', loader: throwNotFound },
          // At the end: routes are numbered by their position, and the browser begins without these.
          ...more,
        ],
      },
    ],
  },
]
