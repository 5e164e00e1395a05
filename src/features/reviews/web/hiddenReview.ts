/** Query parameter of the page that deletes a review: an operator has hidden it. */
export const HIDDEN_REVIEW = 'hidden'
