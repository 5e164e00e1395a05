import { productPage } from '#products/web/prefetch.ts'

productPage.load = id => {
  void import('#products/web/product.ts').then(({ askPieceEarly }) => askPieceEarly(id))
  void import('#products/web/ProductPage.tsx')
}
