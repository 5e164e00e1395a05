import { productPage } from '#products/web/prefetch.ts'

productPage.load = id => {
  void import('./pages/product.route.ts').then(({ askPieceEarly }) => askPieceEarly(id))
  void import('./pages/ProductPage.tsx')
}
