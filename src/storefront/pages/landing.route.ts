export { loader } from './search.route.ts'
