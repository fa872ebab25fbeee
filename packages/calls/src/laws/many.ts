/** More records than databases return at once unless they are told to, and more than one batch. */
export const MANY = 1100;
