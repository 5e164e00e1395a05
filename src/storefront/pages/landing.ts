export { loader } from './search.ts'
