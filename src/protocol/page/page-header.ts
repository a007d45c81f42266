/** Requests by cookie carry this header with the value 1: no form and no page of another origin can send it. */
export const PAGE_HEADER = 'x-spoor-page';
