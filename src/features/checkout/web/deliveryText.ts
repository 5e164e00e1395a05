import { dollars } from '#money'
import type { CheckoutPart, Post } from '../contract.ts'

/** An amount of postage in words. */
export const priceOf = (postage: number): string => (postage === 0 ? 'free' : dollars(postage))

/** '2 to 5 days once sent', '1 day once sent'. */
export function daysOf({ days_min, days_max }: Pick<Post, 'days_min' | 'days_max'>): string {
  const days = days_min === days_max ? String(days_max) : `${days_min} to ${days_max}`
  return `${days} ${days === '1' ? 'day' : 'days'} once sent`
}

/** When pieces are ready at the latest. */
export const readyWithin = ({ ready_days }: CheckoutPart): string =>
  `Ready within ${ready_days} ${ready_days === 1 ? 'day' : 'days'}`

/** What applies to the pieces of a maker: 'By post, $4.50: 2 to 5 days once sent'. undefined: nothing is possible. */
export function chosenWay({ post, pickup_places, pickup_id }: CheckoutPart): string | undefined {
  const place = pickup_places.find(({ id }) => id === pickup_id)
  if (place) return place.hours ? `${place.place}: ${place.hours}` : place.place
  return post ? `By post, ${priceOf(post.postage)}: ${daysOf(post)}` : undefined
}
