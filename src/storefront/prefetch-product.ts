import { productPage } from '#products/web/prefetch.ts'

productPage.load = id => {
  void import('./pages/product.route.ts').then(file => file.prefetchProduct(id))
  // On a slow phone each import takes a while: the press itself is handled in between.
  setTimeout(() => void import('./pages/ProductPage.tsx'))
}
