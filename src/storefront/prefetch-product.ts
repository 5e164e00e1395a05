import { productPage } from '#products/web/prefetch.ts'

productPage.load = id => {
  void import('./pages/product.route.ts').then(({ prefetchProduct }) => prefetchProduct(id))
  void import('./pages/ProductPage.tsx')
}
